/** Searches plain readings of texts for patterns. It is also the module of the thread that searches long texts. */

import type { OpenSpan } from '@sallyport/core'
import { failure } from '@sallyport/core/errors'
import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { LruCache } from '@sallyport/kit/lists'
import { packRows, SharedThreads, unpackRows } from '@sallyport/kit/threads'
import type { Rows, ThreadModule } from '@sallyport/kit/threads'
import { plainReading } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import { Patterns } from './patterns.js'
import type { TypedPattern } from './patterns.js'
import type { Hit } from './word-index.js'

interface PatternJob {
  readonly patterns: readonly TypedPattern[]
  readonly text: string
  readonly tenant: string
}

/** How many instructions patterns may have to be searched on the event loop, and how many make up a unit of effort. */
const [maxSize, unitSize] = [512, 16]

/** Searches in a thread, where a search can be stopped, whenever it may take long. */
export class PatternSearch {
  private readonly threads = new SharedThreads<undefined, PatternJob, Rows>(new URL(import.meta.url), undefined)
  private readonly compiled = new WeakMap<readonly TypedPattern[], Patterns>()

  /** Finds spans of the original text. @throws safeguard_unavailable for a pattern that is invalid or takes too long */
  async find(text: string, patterns: readonly TypedPattern[], requester: Requester): Promise<Hit[]> {
    if (patterns.length === 0) return []
    const pacer = new Pacer(requester)
    const reading = await plainReading(text, pacer)
    const types = typesOf(patterns)
    const job = { patterns, text: reading.text, tenant: requester.tenant }
    const hits = await this.threads.run<Hit[]>(job, { text: reading.text, effort: effortOf(patterns) }, requester, {
      here: () => this.findHere(reading.text, patterns, pacer),
      unpack: (packed) =>
        unpackRows(packed, pacer, ([type = 0, start = 0, end = 0]) => ({ type: types[type] ?? '', start, end })),
    })
    return hits.map((hit) => ({ type: hit.type, ...reading.sourceOf(hit) }))
  }

  /** The spans that must not be cut in a growing text: matches, and parts that could become one. */
  async openSpans(text: string, patterns: readonly TypedPattern[], requester: Requester): Promise<OpenSpan[]> {
    if (patterns.length === 0) return []
    const pacer = new Pacer(requester)
    const found = await this.find(text, patterns, requester)
    const tails = await Promise.all([plainReading(text, pacer, 'kept'), plainReading(text, pacer, 'folded')])
    return [...found, ...tails.flatMap((reading) => this.openIn(reading, text, patterns))]
  }

  private openIn(reading: View, text: string, patterns: readonly TypedPattern[]): OpenSpan[] {
    const from = this.patternsOf(patterns).openFrom(reading.text)
    if (from === undefined) return []
    return [{ start: reading.sourceOf({ start: from, end: from + 1 }).start, end: text.length }]
  }

  private async findHere(text: string, patterns: readonly TypedPattern[], pacer: Pacer): Promise<Hit[]> {
    const hits: Hit[] = []
    for (const hit of this.patternsOf(patterns).find(text)) {
      if (hit) hits.push(hit)
      await pacer.pause()
    }
    return hits
  }

  private patternsOf(patterns: readonly TypedPattern[]): Patterns {
    const compiled = this.compiled.get(patterns) ?? new Patterns(patterns)
    this.compiled.set(patterns, compiled)
    return compiled
  }
}

/** The time of a step grows with the number of instructions. */
const effortOf = (patterns: readonly TypedPattern[]): number => {
  const size = patterns.reduce((sum, pattern) => sum + pattern.size, 0)
  return size > maxSize ? Infinity : Math.max(1, size / unitSize)
}

const typesOf = (patterns: readonly TypedPattern[]): readonly string[] => [...new Set(patterns.map(({ type }) => type))]

/** Takes up to 100 MB in a thread. Each tenant has its own entries, as the time would show what others look for. */
const compiledInThread = new LruCache<Patterns>(2 ** 18, ({ size }) => size)
/** The time limit per pattern: with some patterns, finding all matches of a long line takes quadratic time. */
const maxMilliseconds = 5000
const tooSlow = 'the patterns of the check words take too long for a text: send less at a time, or make them simpler'

/** Each row of the result holds the index of the type, the start and the end of a match. */
const module: ThreadModule<undefined, PatternJob, Rows> =
  () =>
  ({ patterns, text, tenant }) => {
    const types = typesOf(patterns)
    const compiled = compiledInThread.getOrMake(JSON.stringify([tenant, patterns]), () => new Patterns(patterns))
    const deadline = performance.now() + maxMilliseconds * patterns.length
    const hits: Hit[] = []
    for (const hit of compiled.find(text)) {
      if (performance.now() > deadline) throw failure('safeguard_unavailable', { problem: tooSlow })
      if (hit) hits.push(hit)
    }
    return packRows(hits, 3, ({ type, start, end }) => [types.indexOf(type), start, end])
  }

export default module
