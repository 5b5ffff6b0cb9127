import type { Requester } from '@sallyport/kit/async'
import { countCodePoints } from '@sallyport/kit/text'
import type { NativeTokenizer } from './native.js'

/** A token, and the half-open span of the text that it stands for. */
export interface TextToken {
  readonly id: number
  /** In UTF-16 units. */
  readonly start: number
  readonly end: number
  /** The span in code points, which are counted while the text is read forward. */
  readonly points: readonly [start: number, end: number]
  /** The token begins a word: no token of another word depends on it. */
  readonly beginsWord: boolean
}

/** From which end a text is read. */
export type Direction = 'forward' | 'backward'

/** A part of a text that is read at once. */
interface Window {
  /** In UTF-16 units. */
  readonly from: number
  readonly to: number
  /** Code points before it. */
  readonly points: number
  readonly tokens: readonly TextToken[]
}

/** UTF-16 units that two windows have in common. */
const overlap = 256
/** Nearer to the end of a window, tokens may be others than in the whole text. */
const margin = 32

/**
 * Reads texts of any length in windows: each step is short, and who needs only the beginning or the end of a text reads
 * no more. Windows overlap; from where both have a token begin, at a word if there is one, the next one counts.
 */
export class TextReader {
  /** @param names of the tokens, by id: where ▁ stands for a space, a word begins with it */
  constructor(
    private readonly native: NativeTokenizer,
    private readonly names: readonly (string | undefined)[],
  ) {}

  /**
   * The tokens of one window after the other; those of a window in the order of the text.
   * @param length UTF-16 units of a window
   */
  async *read(
    text: string,
    length: number,
    direction: Direction,
    asking: Requester,
  ): AsyncGenerator<readonly TextToken[]> {
    const isForward = direction === 'forward'
    const beyond = (window: Window, shared: number): Promise<Window> => {
      const place = isForward ? window.to - shared : window.from + shared - length
      return this.window(text, place, place + length, window, asking)
    }
    const end = isForward ? 0 : text.length
    let open = await beyond({ from: end, to: end, points: 0, tokens: [] }, 0)
    while (isForward ? open.to < text.length : open.from > 0) {
      let next = await beyond(open, overlap)
      const common = isForward ? seamOf(open, next) : seamOf(next, open)
      // within a word, or a gap, of a great length there is nothing to go by
      if (common === undefined) next = await beyond(open, 0)
      const seam = common ?? (isForward ? open.to : open.from)
      const before = ({ start }: TextToken) => start < seam
      const behind = ({ start }: TextToken) => start >= seam
      yield open.tokens.filter(isForward ? before : behind)
      open = { ...next, tokens: next.tokens.filter(isForward ? behind : before) }
    }
    yield open.tokens
  }

  private async window(text: string, from: number, to: number, before: Window, asking: Requester): Promise<Window> {
    const [start, end] = [wholeCharacters(text, Math.max(0, from)), wholeCharacters(text, Math.min(text.length, to))]
    const points = before.points + countCodePoints(text.slice(before.from, start))
    const own = text.slice(start, end)
    const encoding = await this.native.encode(own, asking)
    const [offsets, words, unitAt] = [encoding.getOffsets(), encoding.getWordIds(), unitsOf(own)]
    const tokens = encoding.getIds().map((id, index): TextToken => {
      const [first = 0, last = 0] = offsets[index] ?? []
      const isFollowed = (offsets[index + 1]?.[0] ?? Infinity) <= last
      const marks = isFollowed ? '' : marksAt(own, unitAt(last))
      return {
        id,
        start: start + unitAt(first),
        end: start + unitAt(last) + marks.length,
        points: [points + first, points + last + countCodePoints(marks)],
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

/** Accents that the vocabulary does not have belong to the letter before them, so that no span leaves them behind. */
const marksAt = (text: string, unit: number): string => {
  markRun.lastIndex = unit
  return markRun.exec(text)?.[0] ?? ''
}

/** Where both windows have a token begin, in UTF-16 units: if possible at a word, and far from the ends of both. */
const seamOf = (left: Window, right: Window): number | undefined => {
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

/** Where tokens begin, and whether they begin words. Tokens of one character's bytes begin within another. */
const startsWithin = ({ tokens }: Window, from: number, to: number): [start: number, beginsWord: boolean][] =>
  tokens.flatMap(({ start, beginsWord }, index) => {
    const before = tokens[index - 1]
    const isWithin = start >= from && start < to
    return isWithin && (!before || (before.start < start && before.end <= start)) ? [[start, beginsWord]] : []
  })

/** The place, or the one before it that does not part a surrogate pair. */
export const wholeCharacters = (text: string, at: number): number => {
  const isWithin = at > 0 && /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1))
  return isWithin ? at - 1 : at
}
