/** Where a text may be cut so that each part can be read for itself. */

/** A sentence shorter than this, in characters, stays with the next one. */
export const minSentence = 16

/** Words after which a full stop ends no sentence: titles, abbreviations, initials. */
const abbreviated =
  /(?:^|[\s("'“‘])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Gen|Col|Lt|Capt|Sgt|Hon|Inc|Ltd|Co|Corp|No|Vol|Fig|vs|etc|approx|e\.g|i\.e|\p{Lu}|\p{L}(?:\.\p{L})+)\.$/u

/** Characters before a full stop that are looked at. */
const maxAbbreviation = 16

/**
 * The first end of a sentence or a line behind `from` at which a text may be cut. It depends on the text up to the cut
 * and one character more, so it does not move as the text grows.
 * @param start where the part begins
 * @param shortest characters that it has at least
 * @returns undefined where there is none before the last character
 */
export const nextBoundary = (text: string, start: number, from: number, shortest: number): number | undefined => {
  for (let position = Math.max(from + 1, start + shortest); position < text.length; position += 1)
    if (isBoundary(text, start, position)) return position
  return undefined
}

/** Whether a text that may go on later ends where a sentence or a line does. */
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
/** Stops of scripts that put no space between sentences. */
const wideStops = '。！？'
const wideClosers = '」』）”’'

/** Whether a stop and what closes behind it stand before the position, and no more of that behind it. */
const endsWith = (text: string, position: number, stop: string, closer: string): boolean => {
  if (closer.includes(text[position] ?? ' ')) return false
  let last = position - 1
  while (closer.includes(text[last] ?? ' ')) last -= 1
  return stop.includes(text[last] ?? ' ')
}

/** Part of an escape of JSON, of any depth, that stands at the end. */
const cutEscape = /\\+(?:u[\da-f]{0,3})?$/i

/** Characters before a cut that such a part may have. */
const maxEscape = 160

/** The last position that is at most `limit` and free, best between two words, else between two characters. */
export const lastBoundary = (
  text: string,
  start: number,
  limit: number,
  isFree: (position: number) => boolean,
): number | undefined => {
  const free = (position: number) =>
    isFree(position) && !cutEscape.test(text.slice(Math.max(0, position - maxEscape), position))
  const word = lastBefore(limit, start, (position) => isSpace(text, position - 1) && free(position))
  if (word !== undefined) return word
  // A character may be longer than a segment: a letter with thousands of marks.
  const anywhere = lastBefore(limit, start, (position) => !isPair(text, position) && free(position))
  if (anywhere === undefined) return undefined
  const from = Math.max(start, anywhere - searchedCharacters)
  const between = Array.from(graphemes.segment(text.slice(from, anywhere + maxGrapheme)), ({ index }) => from + index)
  return between.findLast((position) => position > start && position <= anywhere && free(position)) ?? anywhere
}

const isPair = (text: string, position: number): boolean => (text.codePointAt(position - 1) ?? 0) > 0xffff

const lastBefore = (limit: number, start: number, fits: (position: number) => boolean): number | undefined => {
  for (let position = limit; position > start; position -= 1) if (fits(position)) return position
  return undefined
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Code units after a cut by which it is seen whether a character goes on. */
const maxGrapheme = 64
/** Code units before it among which the end of a character is looked for: each has a copy of all of them (V8). */
const searchedCharacters = 8192
