/** Patterns over plain readings of texts. Also the module of a thread, which searches long texts. */

import type { OpenSpan } from '@sallyport/core'
import { failure } from '@sallyport/core/errors'
import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { RecentlyUsed } from '@sallyport/kit/lists'
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

/** Instructions of patterns that are looked for in this thread; those of {@link usualSize} take little more than reading. */
const [maxSize, usualSize] = [512, 16]

/** Searches in a thread where that may take long: there the search can be ended. */
export class PatternSearch {
  private readonly threads = new SharedThreads<undefined, PatternJob, Rows>(new URL(import.meta.url), undefined)
  private readonly compiled = new WeakMap<readonly TypedPattern[], Patterns>()

  /** Spans of the text as it stands. @throws safeguard_unavailable where that takes too long, and for a wrong pattern */
  async find(text: string, patterns: readonly TypedPattern[], asking: Requester): Promise<Hit[]> {
    if (patterns.length === 0) return []
    const pacer = new Pacer(asking)
    const reading = await plainReading(text, pacer)
    const types = typesOf(patterns)
    const job = { patterns, text: reading.text, tenant: asking.tenant }
    const hits = await this.threads.run<Hit[]>(job, { text: reading.text, effort: effortOf(patterns) }, asking, {
      here: () => this.here(reading.text, patterns, pacer),
      unpack: (packed) =>
        unpackRows(packed, pacer, ([type = 0, start = 0, end = 0]) => ({ type: types[type] ?? '', start, end })),
    })
    return hits.map((hit) => ({ type: hit.type, ...reading.sourceOf(hit) }))
  }

  /** What must not be cut in a text that grows: findings, and what could become one. */
  async openSpans(text: string, patterns: readonly TypedPattern[], asking: Requester): Promise<OpenSpan[]> {
    if (patterns.length === 0) return []
    const pacer = new Pacer(asking)
    const found = await this.find(text, patterns, asking)
    const tails = await Promise.all([plainReading(text, pacer, 'kept'), plainReading(text, pacer, 'folded')])
    return [...found, ...tails.flatMap((reading) => this.openIn(reading, text, patterns))]
  }

  private openIn(reading: View, text: string, patterns: readonly TypedPattern[]): OpenSpan[] {
    const from = this.patternsOf(patterns).openFrom(reading.text)
    return from === undefined
      ? []
      : [{ start: reading.sourceOf({ start: from, end: from + 1 }).start, end: text.length }]
  }

  private async here(text: string, patterns: readonly TypedPattern[], pacer: Pacer): Promise<Hit[]> {
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

/** A step of an automaton takes as long for each of its instructions. */
const effortOf = (patterns: readonly TypedPattern[]): number => {
  const size = patterns.reduce((sum, pattern) => sum + pattern.size, 0)
  return size > maxSize ? Infinity : Math.max(1, size / usualSize)
}

const typesOf = (patterns: readonly TypedPattern[]): readonly string[] => [...new Set(patterns.map(({ type }) => type))]

/** Some 100 MB in a thread; each tenant has its own, as time would tell what others look for. */
const compiledInThread = new RecentlyUsed<Patterns>(2 ** 18, ({ size }) => size)
/** Milliseconds that a pattern may take: finding all matches of a long line takes quadratic time with some patterns. */
const limit = 5000
const tooLong = 'the patterns of the check words take too long for a text: send less at a time, or make them simpler'

/** Each row has the place of a finding's type among those of the patterns, its start and its end. */
const module: ThreadModule<undefined, PatternJob, Rows> =
  () =>
  ({ patterns, text, tenant }) => {
    const types = typesOf(patterns)
    const compiled = compiledInThread.getOrMake(JSON.stringify([tenant, patterns]), () => new Patterns(patterns))
    const deadline = performance.now() + limit * patterns.length
    const hits: Hit[] = []
    for (const hit of compiled.find(text)) {
      if (performance.now() > deadline) throw failure('safeguard_unavailable', { problem: tooLong })
      if (hit) hits.push(hit)
    }
    return packRows(hits, 3, ({ type, start, end }) => [types.indexOf(type), start, end])
  }

export default module
