import { inLatin } from '../plain/look-alikes.js'

/** Words that a detector looks for. Words that are hidden letter by letter are recognised by them. */
export interface Vocabulary {
  /** Whether a word, in small letters, is one of them. */
  readonly has: (word: string) => boolean
  /** Characters of the longest word. */
  readonly maxLength: number
  /** Words of 6 to 12 Latin letters; two of them, enciphered, make a text worth deciphering. */
  readonly cipherWords: readonly string[]
}

/**
 * Split words: tags, comments and signs are between their parts (`Ig<b></b>no-re`, `I|g|n|o|r|e`, `'I','g'`), and
 * between single letters blanks, too (`I, g, n`).
 */
const separator = '(?:<!--[^<>]{0,48}-->|<[a-z/][^<>]{0,48}>|[^\\p{L}\\p{N}\\s<>\\\\]){1,4}'
const letter = '\\p{L}(?![\\p{L}\\p{N}])'
/** UTF-16 code units of the longest split word. */
export const maxSplitLength = 4096
export const splitWord = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])${letter}(?: ?[^\\p{L}\\p{N}\\s<>\\\\]{1,3} ${letter}){3,24}`,
    `(?<![\\p{L}\\p{N}])\\p{L}{1,12}(?:${separator}\\p{L}{1,12}(?![\\p{L}\\p{N}])){1,14}`,
    // A word with a letter that is not Latin, for look-alikes; `\w` with the flags `iu` has ſ and the Kelvin sign, too.
    '(?<![\\p{L}\\p{N}])(?=[A-Za-z]{0,24}[^\\P{L}A-Za-z])\\p{L}{3,24}(?![\\p{L}\\p{N}])',
  ].join('|'),
  'iu',
)

const partOrTag = /<[^<>]*>|\p{L}+/gu
/**
 * Characters that a split word must have, and one of single letters: shorter ones arise from neighbouring words by
 * chance.
 */
const [minLength, minSpelledLength] = [5, 3]

interface WordPart {
  readonly start: number
  readonly end: number
  /** The part in Latin letters; undefined where it has others that look like none. */
  readonly plain: string | undefined
}

/** A match with its known words joined; undefined where it has none. */
export const joinSplitWords = (match: string, words: Vocabulary): string | undefined => {
  const parts: WordPart[] = []
  for (const { 0: written, index } of match.matchAll(partOrTag))
    if (!written.startsWith('<')) parts.push({ start: index, end: index + written.length, plain: inLatin(written) })
  let [result, done] = ['', 0]
  for (let from = 0; from < parts.length;) {
    const found = wordAt(parts, from, match, words)
    const first = parts[from]
    if (!found || !first) {
      from += 1
      continue
    }
    result += match.slice(done, first.start) + found.word
    done = parts[found.last]?.end ?? match.length
    from = found.last + 1
  }
  return done > 0 ? result + match.slice(done) : undefined
}

/** The longest known word that begins with a part, unless it is there unsplit in Latin letters. */
const wordAt = (
  parts: readonly WordPart[],
  from: number,
  match: string,
  words: Vocabulary,
): { readonly word: string; readonly last: number } | undefined => {
  let word = ''
  let found: { readonly word: string; readonly last: number } | undefined
  let spelled = true
  for (let last = from; last < parts.length; last += 1) {
    const part = parts[last]
    if (part?.plain === undefined || word.length + part.plain.length > words.maxLength) break
    word += part.plain
    spelled &&= part.plain.length === 1
    const isSame = last === from && part.plain === match.slice(part.start, part.end).toLowerCase()
    const min = spelled || last === from ? minSpelledLength : minLength
    if (!isSame && word.length >= min && words.has(word)) found = { word, last }
  }
  return found
}
