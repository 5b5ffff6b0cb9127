/** A sorted list of words and phrases, in which the entries at a position of a text are found by narrowing a range. */

import type { Steps } from '@sallyport/kit/async'
import { isWordAt, isWordBefore, WordBounds } from './boundaries.js'
import type { Bounds } from './boundaries.js'

/** Words in {@link canonical} form with the types of the lists that contain them. */
export type TypesByWord = ReadonlyMap<string, readonly string[]>

export interface Hit {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Separators between the words of a phrase. */
const separators = /(?<=[\p{L}\p{M}\p{N}])[\s_-]+(?=[\p{L}\p{M}\p{N}])/gu
const isSeparator = (unit: number): boolean =>
  unit === 0x20 || unit === 0x2d || unit === 0x5f || (unit >= 9 && unit <= 13)
/** The maximum number of separators between two words of a phrase. */
const maxSeparators = 64

/** A folded word or phrase with one space between its words. */
export const canonical = (folded: string): string => folded.trim().replace(separators, ' ')

/** How many UTF-16 code units are processed between two pauses. */
const pauseInterval = 8192

export class WordIndex {
  private readonly words: readonly string[]
  /** The range of the words with the same first UTF-16 unit. */
  private readonly ranges = new Map<number, readonly [number, number]>()

  constructor(private readonly typesByWord: TypesByWord) {
    // Sorted by code units, as the search compares those.
    this.words = [...typesByWord.keys()].sort((a, b) => (a < b ? -1 : 1))
    for (const [at, word] of this.words.entries()) {
      const first = word.charCodeAt(0)
      this.ranges.set(first, [this.ranges.get(first)?.[0] ?? at, at + 1])
    }
  }

  /**
   * Finds the longest match of each type at each position of a folded text; yields where the caller may pause.
   * @param bounds where words may begin and end in the text
   * @param open called with the start of each match that the end of the text cuts
   */
  *find(text: string, bounds: Bounds = new WordBounds(text), open?: (start: number) => void): Steps<Hit[]> {
    const hits: Hit[] = []
    for (let at = 0; at < text.length; at += 1) {
      if (at % pauseInterval === pauseInterval - 1) yield
      const range = this.ranges.get(text.charCodeAt(at))
      if (range && bounds.mayBegin(at)) this.findAt(text, at, range, { hits, bounds, open })
    }
    return hits
  }

  private findAt(text: string, start: number, range: readonly [number, number], search: Search): void {
    const longest = new Map<string, number>()
    let [[low, high], depth, at] = [range, 1, start + 1]
    for (;;) {
      const word = this.words[low] ?? ''
      if (word.length === depth && search.bounds.isWord(start, at))
        for (const type of this.typesByWord.get(word) ?? []) longest.set(type, at)
      const step = stepAt(text, at)
      if (step.reachesEnd) search.open?.(start)
      if (at >= text.length) break
      ;[low, high] = this.narrow(low, high, depth, step.unit)
      if (low >= high) break
      at = step.end
      depth += 1
    }
    for (const [type, end] of longest) search.hits.push({ type, start, end })
  }

  /** Narrows a range, whose words agree up to `depth`, to those with a unit at that position. */
  private narrow(low: number, high: number, depth: number, unit: number): readonly [number, number] {
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

interface Search {
  readonly hits: Hit[]
  readonly bounds: Bounds
  readonly open: ((start: number) => void) | undefined
}

interface Step {
  /** The unit that an entry must continue with. */
  readonly unit: number
  readonly end: number
  /** Whether the step might be another one if the text went on. */
  readonly reachesEnd: boolean
}

/** Separators between two words are read as one space, all other characters as themselves. */
const stepAt = (text: string, at: number): Step => {
  const unit = text.charCodeAt(at)
  const itself = { unit, end: at + 1, reachesEnd: at >= text.length }
  if (!isSeparator(unit) || !isWordBefore(text, at)) return itself
  let end = at + 1
  while (end < text.length && end - at < maxSeparators && isSeparator(text.charCodeAt(end))) end += 1
  if (end === text.length) return { ...itself, reachesEnd: true }
  return isWordAt(text, end) ? { unit: 0x20, end, reachesEnd: false } : itself
}
