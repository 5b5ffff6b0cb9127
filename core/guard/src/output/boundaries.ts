/** Finds positions where a text can be cut into parts that can be read by themselves. */

/** A sentence shorter than this many characters is joined to the next one. */
export const minSentence = 16

/** Words after which a full stop ends no sentence: titles, abbreviations, initials. */
const abbreviated =
  /(?:^|[\s("'“‘])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Gen|Col|Lt|Capt|Sgt|Hon|Inc|Ltd|Co|Corp|No|Vol|Fig|vs|etc|approx|e\.g|i\.e|\p{Lu}|\p{L}(?:\.\p{L})+)\.$/u

/** Characters before a full stop that are searched for an abbreviation. */
const maxAbbreviation = 16

/**
 * The first end of a sentence or line after `from`. It depends on the text up to the cut and one more character, so it does
 * not move as the text grows.
 * @param start where the part begins
 * @param minLength minimum length of the part in characters
 * @returns undefined where there is none before the last character
 */
export const nextBoundary = (text: string, start: number, from: number, minLength: number): number | undefined => {
  for (let position = Math.max(from + 1, start + minLength); position < text.length; position += 1)
    if (isBoundary(text, start, position)) return position
  return undefined
}

/** Whether a text, which may grow later, ends with a sentence or a line. */
export const endsAtBoundary = (text: string, start: number): boolean =>
  text.length >= start + minSentence && isBoundary(text, start, text.length)

const isBoundary = (text: string, start: number, position: number): boolean => {
  if (isSpace(text, position) || !isSpace(text, position - 1)) return endsWith(text, position, wideStops, wideClosers)
  let end = position
  while (end > start && isSpace(text, end - 1)) end -= 1
  if (text.slice(end, position).includes('\n')) return true
  return endsWith(text, end, stops, closers) && !abbreviated.test(text.slice(Math.max(0, end - maxAbbreviation), end))
}

const isSpace = (text: string, position: number): boolean => /\s/u.test(text[position] ?? '')

const stops = '.!?…'
const closers = `"'”’»)]*_`
/** Full stops of scripts without spaces between sentences. */
const wideStops = '。！？'
const wideClosers = '」』）”’'

/** Whether a full stop with all its closing quotes and brackets ends at the position. */
const endsWith = (text: string, position: number, stop: string, closer: string): boolean => {
  if (closer.includes(text[position] ?? ' ')) return false
  let last = position - 1
  while (closer.includes(text[last] ?? ' ')) last -= 1
  return stop.includes(text[last] ?? ' ')
}

/** An incomplete JSON escape at the end, of any depth. */
const cutEscape = /\\+(?:u[\da-f]{0,3})?$/i

/** Maximum length of an incomplete escape. */
const maxEscape = 160

/** The last free position up to `limit`: between two words, or else between two characters. */
export const lastBoundary = (
  text: string,
  start: number,
  limit: number,
  isFree: (position: number) => boolean,
): number | undefined => {
  const free = (position: number) =>
    isFree(position) && !cutEscape.test(text.slice(Math.max(0, position - maxEscape), position))
  const word = lastWhere(limit, start, (position) => isSpace(text, position - 1) && free(position))
  if (word !== undefined) return word
  // A character may be longer than a segment, such as a letter with thousands of marks.
  const anywhere = lastWhere(limit, start, (position) => !isPair(text, position) && free(position))
  if (anywhere === undefined) return undefined
  const from = Math.max(start, anywhere - searchedCharacters)
  const between = Array.from(graphemes.segment(text.slice(from, anywhere + maxGrapheme)), ({ index }) => from + index)
  return between.findLast((position) => position > start && position <= anywhere && free(position)) ?? anywhere
}

const isPair = (text: string, position: number): boolean => (text.codePointAt(position - 1) ?? 0) > 0xffff

const lastWhere = (limit: number, start: number, fits: (position: number) => boolean): number | undefined => {
  for (let position = limit; position > start; position -= 1) if (fits(position)) return position
  return undefined
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Code units after a cut that show whether a character continues. */
const maxGrapheme = 64
/** Code units before a cut that are segmented; in V8 each grapheme keeps a copy of the whole input. */
const searchedCharacters = 8192
