import type { Call, OpenSpan } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { SharedThreads, unpackRows } from '@sallyport/kit/threads'
import { plainReading } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import { typesOf } from './pattern-thread.js'
import type { PackedHits, PatternJob } from './pattern-thread.js'
import { Patterns } from './patterns.js'
import type { TypedPattern } from './patterns.js'
import type { Hit } from './word-index.js'

type Asking = Pick<Call, 'signal' | 'tenant'>

/** Instructions of patterns that are looked for in this thread; those of {@link usual} take little more than reading. */
const [most, usual] = [512, 16]

/** Patterns over plain readings of texts, in a thread where that may take long: there the search can be ended. */
export class PatternSearch {
  private readonly threads = new SharedThreads<undefined, PatternJob, PackedHits>(
    new URL('./pattern-thread.js', import.meta.url),
    undefined,
  )
  private readonly compiled = new WeakMap<readonly TypedPattern[], Patterns>()

  /** Spans of the text as it stands. @throws safeguard_unavailable where that takes too long, and for a wrong pattern */
  async find(text: string, patterns: readonly TypedPattern[], call: Asking): Promise<Hit[]> {
    if (patterns.length === 0) return []
    const pacer = new Pacer(call)
    const reading = await plainReading(text, pacer)
    const types = typesOf(patterns)
    const job = { patterns, text: reading.text, tenant: call.tenant }
    const hits = await this.threads.run<Hit[]>(job, { text: reading.text, effort: effortOf(patterns) }, call, {
      here: () => this.here(reading.text, patterns, pacer),
      unpack: (packed) =>
        unpackRows(packed, pacer, ([type = 0, start = 0, end = 0]) => ({ type: types[type] ?? '', start, end })),
    })
    return hits.map((hit) => ({ type: hit.type, ...reading.sourceOf(hit) }))
  }

  /** What must not be cut in a text that grows: findings, and what could become one. */
  async openSpans(text: string, patterns: readonly TypedPattern[], call: Asking): Promise<OpenSpan[]> {
    if (patterns.length === 0) return []
    const pacer = new Pacer(call)
    const found = await this.find(text, patterns, call)
    const tails = await Promise.all([plainReading(text, pacer, 'kept'), plainReading(text, pacer, 'folded')])
    const open = tails.flatMap((reading) => this.openIn(reading, text, patterns))
    return [...found.map(({ start, end }) => ({ start, end })), ...open]
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
  return size > most ? Infinity : Math.max(1, size / usual)
}
