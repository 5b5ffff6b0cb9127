import type { Requester } from '@sallyport/kit/async'
import { countCodePoints } from '@sallyport/kit/text'
import type { NativeTokenizer } from './native.js'

/** A token with its span in the text, which is half-open. */
export interface TextToken {
  readonly id: number
  /** In UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The span in code points; valid only where the text is read forward. */
  readonly codePoints: readonly [start: number, end: number]
  /** Whether the token begins a word. Words are tokenized independently of each other. */
  readonly beginsWord: boolean
}

/** The direction in which a text is read: from its beginning or from its end. */
export type Direction = 'forward' | 'backward'

/** A part of a text that is tokenized at once. */
interface Window {
  /** In UTF-16 units. */
  readonly from: number
  readonly to: number
  /** How many code points come before the window. */
  readonly points: number
  readonly tokens: readonly TextToken[]
}

/** How many UTF-16 units two consecutive windows share. */
const overlap = 256
/** Within so many UTF-16 units of a window's end, tokens may differ from those of the whole text. */
const margin = 32

/**
 * Tokenizes texts of any length in overlapping windows. So each step is short, and only the beginning or the end of a text
 * need be read. Windows are joined where a token begins in both, if possible at a word.
 */
export class TextReader {
  /** @param names the tokens by id; a token that begins with ▁, which stands for a space, begins a word */
  constructor(
    private readonly native: NativeTokenizer,
    private readonly names: readonly (string | undefined)[],
  ) {}

  /**
   * Yields the tokens of one window after the other; those of a window are in the order of the text.
   * @param length UTF-16 units of a window
   */
  async *read(
    text: string,
    length: number,
    direction: Direction,
    requester: Requester,
  ): AsyncGenerator<readonly TextToken[]> {
    const isForward = direction === 'forward'
    const nextWindow = (window: Window, shared: number): Promise<Window> => {
      const place = isForward ? window.to - shared : window.from + shared - length
      return this.window(text, place, place + length, window, requester)
    }
    const end = isForward ? 0 : text.length
    let current = await nextWindow({ from: end, to: end, points: 0, tokens: [] }, 0)
    while (isForward ? current.to < text.length : current.from > 0) {
      let next = await nextWindow(current, overlap)
      const seamStart = isForward ? findSeam(current, next) : findSeam(next, current)
      // Within a very long word or gap no token begins in both, and the windows are put side by side.
      if (seamStart === undefined) next = await nextWindow(current, 0)
      const seam = seamStart ?? (isForward ? current.to : current.from)
      const before = ({ start }: TextToken) => start < seam
      const behind = ({ start }: TextToken) => start >= seam
      yield current.tokens.filter(isForward ? before : behind)
      current = { ...next, tokens: next.tokens.filter(isForward ? behind : before) }
    }
    yield current.tokens
  }

  private async window(text: string, from: number, to: number, before: Window, requester: Requester): Promise<Window> {
    const [start, end] = [wholeCharacters(text, Math.max(0, from)), wholeCharacters(text, Math.min(text.length, to))]
    const points = before.points + countCodePoints(text.slice(before.from, start))
    const own = text.slice(start, end)
    const encoding = await this.native.encode(own, requester)
    const [offsets, words, unitAt] = [encoding.getOffsets(), encoding.getWordIds(), unitsOf(own)]
    const tokens = encoding.getIds().map((id, index): TextToken => {
      const [first = 0, last = 0] = offsets[index] ?? []
      const isFollowed = (offsets[index + 1]?.[0] ?? Infinity) <= last
      const marks = isFollowed ? '' : marksAt(own, unitAt(last))
      return {
        id,
        start: start + unitAt(first),
        end: start + unitAt(last) + marks.length,
        codePoints: [points + first, points + last + countCodePoints(marks)],
        beginsWord: words[index] !== words[index - 1] || this.names[id]?.startsWith('\u2581') === true,
      }
    })
    return { from: start, to: end, points, tokens }
  }
}

/** The UTF-16 unit at which each code point of a text begins. */
const unitsOf = (text: string): ((point: number) => number) => {
  if (!/[\ud800-\udbff]/.test(text)) return (point) => point
  let unit = 0
  const units = [0, ...Array.from(text, (character) => (unit += character.length))]
  return (point) => units[point] ?? unit
}

const markRun = /\p{Mark}*/uy

/** Accents that the vocabulary lacks belong to the letter before them, so that no span leaves them out. */
const marksAt = (text: string, unit: number): string => {
  markRun.lastIndex = unit
  return markRun.exec(text)?.[0] ?? ''
}

/** Where a token begins in both windows, in UTF-16 units: if possible at a word, and far from the ends of both. */
const findSeam = (left: Window, right: Window): number | undefined => {
  const [from, to] = [right.from + margin, left.to - margin]
  const others = new Map(startsWithin(right, from, to))
  return startsWithin(left, from, to)
    .filter(([start]) => others.has(start))
    .map(([start, beginsWord]) => {
      const distance = Math.abs(start - (from + to) / 2)
      return { start, rank: beginsWord && others.get(start) === true ? distance : distance + overlap }
    })
    .reduce<{ start?: number; rank: number }>((best, one) => (one.rank < best.rank ? one : best), { rank: Infinity })
    .start
}

/** Where tokens begin, and whether they begin words. Leaves out tokens that begin within a character. */
const startsWithin = ({ tokens }: Window, from: number, to: number): [start: number, beginsWord: boolean][] =>
  tokens.flatMap(({ start, beginsWord }, index) => {
    const before = tokens[index - 1]
    const isWithin = start >= from && start < to
    return isWithin && (!before || (before.start < start && before.end <= start)) ? [[start, beginsWord]] : []
  })

/** The position, or the one before it where it would split a surrogate pair. */
export const wholeCharacters = (text: string, at: number): number => {
  const isWithin = at > 0 && /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1))
  return isWithin ? at - 1 : at
}
