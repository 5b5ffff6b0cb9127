import type { Requester } from '@sallyport/kit/async'
import { characterStart, countCodePoints } from '@sallyport/kit/text'
import type { NativeTokenizer } from './native.js'

/** A token with its span in the text, which is half-open. */
export interface TextToken {
  readonly id: number
  /** In UTF-16 code units. */
  readonly start: number
  readonly end: number
  /** Valid only where the text is tokenized forward. */
  readonly codePointSpan: readonly [start: number, end: number]
  /** Whether the token begins a word. Words are tokenized independently of each other. */
  readonly beginsWord: boolean
}

/** The direction in which a text is tokenized: from its beginning or from its end. */
export type Direction = 'forward' | 'backward'

/** A part of a text that is tokenized at once. */
interface TokenizedPart {
  /** In UTF-16 code units. */
  readonly from: number
  readonly to: number
  readonly codePointsBefore: number
  readonly tokens: readonly TextToken[]
}

/** How many UTF-16 code units two consecutive parts share. */
const overlap = 256
/** Tokens this near to an end of a part, in UTF-16 code units, may differ from those of the whole text. */
const margin = 32

/**
 * Tokenizes texts of any length in overlapping parts. So each step is short, and only the beginning or the end of a
 * text need be tokenized. Parts are joined where a token begins in both, if possible at a word.
 */
export class WindowedTokenizer {
  /** @param vocabulary the tokens by id; a token that begins with ▁, which stands for a space, begins a word */
  constructor(
    private readonly native: NativeTokenizer,
    private readonly vocabulary: readonly (string | undefined)[],
  ) {}

  /**
   * Yields the tokens of one part after the other; those of a part are in the order of the text.
   * @param length UTF-16 code units of a part
   */
  async *tokenize(
    text: string,
    length: number,
    direction: Direction,
    requester: Requester,
  ): AsyncGenerator<readonly TextToken[]> {
    const isForward = direction === 'forward'
    const nextPart = (part: TokenizedPart, shared: number): Promise<TokenizedPart> => {
      const from = isForward ? part.to - shared : part.from + shared - length
      return this.tokenizePart(text, from, from + length, part, requester)
    }
    const end = isForward ? 0 : text.length
    let current = await nextPart({ from: end, to: end, codePointsBefore: 0, tokens: [] }, 0)
    while (isForward ? current.to < text.length : current.from > 0) {
      let next = await nextPart(current, overlap)
      const seamStart = isForward ? findSeam(current, next) : findSeam(next, current)
      // Within a very long word or gap no token begins in both, and the parts do not overlap.
      if (seamStart === undefined) next = await nextPart(current, 0)
      const seam = seamStart ?? (isForward ? current.to : current.from)
      const before = ({ start }: TextToken) => start < seam
      const after = ({ start }: TextToken) => start >= seam
      yield current.tokens.filter(isForward ? before : after)
      current = { ...next, tokens: next.tokens.filter(isForward ? after : before) }
    }
    yield current.tokens
  }

  private async tokenizePart(
    text: string,
    from: number,
    to: number,
    previous: TokenizedPart,
    requester: Requester,
  ): Promise<TokenizedPart> {
    const start = characterStart(text, Math.max(0, from))
    const end = characterStart(text, Math.min(text.length, to))
    const codePointsBefore = previous.codePointsBefore + countCodePoints(text.slice(previous.from, start))
    const own = text.slice(start, end)
    const encoding = await this.native.encode(own, requester)
    const [offsets, words, unitAt] = [encoding.getOffsets(), encoding.getWordIds(), unitsOf(own)]
    const tokens = encoding.getIds().map((id, index): TextToken => {
      const [tokenStart = 0, tokenEnd = 0] = offsets[index] ?? []
      const touchesNext = (offsets[index + 1]?.[0] ?? Infinity) <= tokenEnd
      const marks = touchesNext ? '' : marksAt(own, unitAt(tokenEnd))
      return {
        id,
        start: start + unitAt(tokenStart),
        end: start + unitAt(tokenEnd) + marks.length,
        codePointSpan: [codePointsBefore + tokenStart, codePointsBefore + tokenEnd + countCodePoints(marks)],
        beginsWord: words[index] !== words[index - 1] || this.vocabulary[id]?.startsWith('\u2581') === true,
      }
    })
    return { from: start, to: end, codePointsBefore, tokens }
  }
}

/** Finds the UTF-16 code unit at which a code point of a text begins. */
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

/** Where a token begins in both parts, in UTF-16 code units: if possible at a word, and far from the ends of both. */
const findSeam = (left: TokenizedPart, right: TokenizedPart): number | undefined => {
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
const startsWithin = ({ tokens }: TokenizedPart, from: number, to: number): [start: number, beginsWord: boolean][] =>
  tokens.flatMap(({ start, beginsWord }, index) => {
    const before = tokens[index - 1]
    const isWithin = start >= from && start < to
    return isWithin && (!before || (before.start < start && before.end <= start)) ? [[start, beginsWord]] : []
  })
