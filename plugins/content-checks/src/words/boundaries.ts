/** Finds out where words begin and end. */

const wordCharacter = /^[\p{L}\p{M}\p{N}]/u
/** Scripts that put no spaces between words. */
const spaceless =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const hangul = /^\p{Script=Hangul}/u

type Kind = 'none' | 'spaced' | 'spaceless' | 'hangul'

const kinds = new Map<number, Kind>()

const kindOf = (codePoint: number): Kind => {
  const known = kinds.get(codePoint)
  if (known) return known
  const character = String.fromCodePoint(codePoint)
  const wordKind = spaceless.test(character) ? 'spaceless' : hangul.test(character) ? 'hangul' : 'spaced'
  const kind = wordCharacter.test(character) ? wordKind : 'none'
  kinds.set(codePoint, kind)
  return kind
}

const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00

const kindAt = (text: string, at: number): Kind => {
  const codePoint = text.codePointAt(at)
  return codePoint === undefined ? 'none' : kindOf(codePoint)
}

const kindBefore = (text: string, at: number): Kind =>
  at === 0 ? 'none' : kindAt(text, at > 1 && isLow(text.charCodeAt(at - 1)) ? at - 2 : at - 1)

export const isWordAt = (text: string, at: number): boolean => kindAt(text, at) !== 'none'

export const isWordBefore = (text: string, at: number): boolean => kindBefore(text, at) !== 'none'

/** The positions in one text at which words may begin and end. */
export interface Bounds {
  /** Whether a word may begin at a position, by a quick test without a dictionary. */
  mayBegin(at: number): boolean
  /** Whether the span begins and ends at word boundaries. */
  isWord(start: number, end: number): boolean
}

export const anywhere: Bounds = { mayBegin: () => true, isWord: () => true }

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
/** UTF-16 code units on each side of a position that the dictionary sees. */
const contextLength = 24
/** How many positions of a text are looked up, at 0.05 ms each; after that, each position counts as a boundary. */
const maxLookups = 2000

/** Words end at symbols and where the script changes; in scripts without spaces, a dictionary decides. */
export class WordBounds implements Bounds {
  private lookups = 0

  constructor(private readonly text: string) {}

  mayBegin(at: number): boolean {
    const before = kindBefore(this.text, at)
    return before === 'none' || before === 'spaceless' || kindAt(this.text, at) !== before
  }

  isWord(start: number, end: number): boolean {
    return this.isBoundary(start, false) && this.isBoundary(end, true)
  }

  /** @param ends whether a word ends there: in Korean, particles may follow it */
  private isBoundary(at: number, ends: boolean): boolean {
    const [before, after] = [kindBefore(this.text, at), kindAt(this.text, at)]
    if (before === 'none' || after !== before) return true
    if (before === 'spaceless') return this.isDictionaryBoundary(at)
    return before === 'hangul' && ends
  }

  private isDictionaryBoundary(at: number): boolean {
    if ((this.lookups += 1) > maxLookups) return true
    const from = Math.max(0, at - contextLength)
    const segment = segmenter.segment(this.text.slice(from, at + contextLength)).containing(at - from)
    return segment?.index === at - from
  }
}
