/** Words and phrases in an order in which those that a text has are found with few steps for each of its words. */

import type { Steps } from '@sallyport/kit/async'
import { isWordAt, isWordBefore, WordBounds } from './boundaries.js'
import type { Bounds } from './boundaries.js'

/** What is looked for, in its {@link canonical} form, with the types of the lists that have it. */
export type Wanted = ReadonlyMap<string, readonly string[]>

export interface Hit {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** What may stand between the words of a phrase. */
const separators = /(?<=[\p{L}\p{M}\p{N}])[\s_-]+(?=[\p{L}\p{M}\p{N}])/gu
const isSeparator = (unit: number): boolean =>
  unit === 0x20 || unit === 0x2d || unit === 0x5f || (unit >= 9 && unit <= 13)
/** UTF-16 units between two words of a phrase. */
const widest = 64

/** A folded word or phrase with one space between its words. */
export const canonical = (folded: string): string => folded.trim().replace(separators, ' ')

/** UTF-16 units between two pauses. */
const slice = 8192

export class WordIndex {
  private readonly words: readonly string[]
  /** Where those begin that have the same first unit; behind the last of them. */
  private readonly ranges = new Map<number, readonly [number, number]>()

  constructor(private readonly wanted: Wanted) {
    // By units, as they are searched: not as people sort.
    this.words = [...wanted.keys()].sort((a, b) => (a < b ? -1 : 1))
    for (const [at, word] of this.words.entries()) {
      const first = word.charCodeAt(0)
      this.ranges.set(first, [this.ranges.get(first)?.[0] ?? at, at + 1])
    }
  }

  /**
   * What of the words stands in a folded text, with the longest ones of each start; yields where others may have their
   * turn.
   * @param bounds where words may stand in the text
   * @param open is told where a word begins that is not over where the text ends
   */
  *find(text: string, bounds: Bounds = new WordBounds(text), open?: (start: number) => void): Steps<Hit[]> {
    const hits: Hit[] = []
    for (let at = 0; at < text.length; at += 1) {
      if (at % slice === slice - 1) yield
      const range = this.ranges.get(text.charCodeAt(at))
      if (range && bounds.mayBegin(at)) this.findAt(text, at, range, { hits, bounds, open })
    }
    return hits
  }

  private findAt(text: string, start: number, range: readonly [number, number], found: Found): void {
    const longest = new Map<string, number>()
    let [[low, high], depth, at] = [range, 1, start + 1]
    for (;;) {
      const word = this.words[low] ?? ''
      if (word.length === depth && found.bounds.isWord(start, at))
        for (const type of this.wanted.get(word) ?? []) longest.set(type, at)
      const step = stepAt(text, at)
      if (step.reachesEnd) found.open?.(start)
      if (at >= text.length) break
      ;[low, high] = this.narrowed(low, high, depth, step.unit)
      if (low >= high) break
      at = step.end
      depth += 1
    }
    for (const [type, end] of longest) found.hits.push({ type, start, end })
  }

  /** The words of a range, which are the same up to a unit, that have this unit there. */
  private narrowed(low: number, high: number, depth: number, unit: number): readonly [number, number] {
    const from = this.firstFrom(low, high, depth, unit)
    return [from, this.firstFrom(from, high, depth, unit + 1)]
  }

  private firstFrom(low: number, high: number, depth: number, unit: number): number {
    let [from, to] = [low, high]
    while (from < to) {
      const middle = (from + to) >> 1
      const word = this.words[middle] ?? ''
      if (depth < word.length && word.charCodeAt(depth) >= unit) to = middle
      else from = middle + 1
    }
    return from
  }
}

interface Found {
  readonly hits: Hit[]
  readonly bounds: Bounds
  readonly open: ((start: number) => void) | undefined
}

interface Step {
  /** That a phrase goes on with. */
  readonly unit: number
  readonly end: number
  /** Whether it would be another one if the text went on. */
  readonly reachesEnd: boolean
}

/** What parts two words is one space; other signs are themselves. */
const stepAt = (text: string, at: number): Step => {
  const unit = text.charCodeAt(at)
  const itself = { unit, end: at + 1, reachesEnd: at >= text.length }
  if (!isSeparator(unit) || !isWordBefore(text, at)) return itself
  let end = at + 1
  while (end < text.length && end - at < widest && isSeparator(text.charCodeAt(end))) end += 1
  if (end === text.length) return { ...itself, reachesEnd: true }
  return isWordAt(text, end) ? { unit: 0x20, end, reachesEnd: false } : itself
}
