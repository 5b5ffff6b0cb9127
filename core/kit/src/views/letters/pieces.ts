import { inLatin } from '../plain/look-alikes.js'

/** Words that a detector looks for: what is hidden letter by letter is told by them. */
export interface Vocabulary {
  /** Whether a word, in small letters, is one of them. */
  readonly has: (word: string) => boolean
  /** Characters of the longest. */
  readonly longest: number
  /** Words of 6 to 12 Latin letters, of which two make a text worth to be deciphered. */
  readonly telling: readonly string[]
}

/**
 * Words in pieces: tags, comments and signs stand between them (`Ig<b></b>no-re`, `I|g|n|o|r|e`, `'I','g'`), or blanks,
 * too, between single letters (`I, g, n`).
 */
const between = '(?:<!--[^<>]{0,48}-->|<[a-z/][^<>]{0,48}>|[^\\p{L}\\p{N}\\s<>\\\\]){1,4}'
const letter = '\\p{L}(?![\\p{L}\\p{N}])'
/** UTF-16 units of the longest one. */
export const longestInPieces = 4096
export const inPieces = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])${letter}(?: ?[^\\p{L}\\p{N}\\s<>\\\\]{1,3} ${letter}){3,24}`,
    `(?<![\\p{L}\\p{N}])\\p{L}{1,12}(?:${between}\\p{L}{1,12}(?![\\p{L}\\p{N}])){1,14}`,
    // `\w` would be another set of letters where case does not count.
    '(?<![\\p{L}\\p{N}])(?=[A-Za-z]{0,24}[^\\P{L}A-Za-z])\\p{L}{3,24}(?![\\p{L}\\p{N}])',
  ].join('|'),
  'iu',
)

const pieceOrTag = /<[^<>]*>|\p{L}+/gu
/** Characters of a word in pieces, and of one of single letters: others are made of words that stand side by side. */
const [fewest, fewestSpelled] = [5, 3]

interface Piece {
  readonly start: number
  readonly end: number
  /** Undefined where it is nothing of Latin letters. */
  readonly plain: string | undefined
}

/** A match with the known words in it as they are read; undefined where there are none. */
export const joinedPieces = (match: string, words: Vocabulary): string | undefined => {
  const pieces: Piece[] = []
  for (const { 0: written, index } of match.matchAll(pieceOrTag))
    if (!written.startsWith('<')) pieces.push({ start: index, end: index + written.length, plain: inLatin(written) })
  let [result, done] = ['', 0]
  for (let from = 0; from < pieces.length;) {
    const found = wordAt(pieces, from, match, words)
    const first = pieces[from]
    if (!found || !first) {
      from += 1
      continue
    }
    result += match.slice(done, first.start) + found.word
    done = pieces[found.last]?.end ?? match.length
    from = found.last + 1
  }
  return done > 0 ? result + match.slice(done) : undefined
}

/** The longest known word that begins with a piece, but for one that stands there as it is. */
const wordAt = (
  pieces: readonly Piece[],
  from: number,
  match: string,
  words: Vocabulary,
): { readonly word: string; readonly last: number } | undefined => {
  let word = ''
  let found: { readonly word: string; readonly last: number } | undefined
  let spelled = true
  for (let last = from; last < pieces.length; last += 1) {
    const piece = pieces[last]
    if (piece?.plain === undefined || word.length + piece.plain.length > words.longest) break
    word += piece.plain
    spelled &&= piece.plain.length === 1
    const isSame = last === from && piece.plain === match.slice(piece.start, piece.end).toLowerCase()
    const least = spelled || last === from ? fewestSpelled : fewest
    if (!isSame && word.length >= least && words.has(word)) found = { word, last }
  }
  return found
}
