/** Bytes written in letters, in which models and lists of names read words. */

/** A row of bytes: how it begins, and what it goes on with, which has a longest match as engines count their steps. */
interface Row {
  readonly begin: RegExp
  readonly piece: RegExp
}

const max = 2 ** 16

/** RFC 2397, with the payload in either alphabet of base64, and with slashes as JSON may write them. */
const dataUri: Row = {
  begin: /data:[\w.+-]{1,64}\\?\/[\w.+-]{1,64}(?:;[\w.-]{1,32}=[\w.-]{1,64}){0,4};base64,(?:[A-Za-z\d+/_-]|\\\/){16}/gi,
  piece: new RegExp(String.raw`(?:[A-Za-z\d+/_-]|\\/){1,${max}}`, 'y'),
}

const letters: Row = { begin: /[A-Za-z\d+/_-]{40}/g, piece: new RegExp(`[A-Za-z\\d+/_-]{1,${max}}`, 'y') }

const padding = /={1,2}/y
const hexadecimal = /^(?=[a-f-]*\d)[\da-f]{32,}$/i

/** Rows of small letters: words consist mostly of them, and of bytes one letter in ten stands in such a row. */
const smallLetters = /[a-z]{4,}/g
const maxSmall = 0.3
/** Where digits are left out, which may stand in words to hide them. */
const maxSmallJoined = 0.4

const shareOfSmall = (row: string): number => (row.match(smallLetters)?.join('').length ?? 0) / row.length

/** Bytes have such a sign at one place of thirty-two, words at one of six. */
const minBetweenDashes = 10

/** Whether parts of a row are words, with or without digits in them. */
const hasWords = (row: string): boolean =>
  row.split(/[-_]/).length > 1 + row.length / minBetweenDashes ||
  shareOfSmall(row) > maxSmall ||
  shareOfSmall(row.replace(/\d+/g, '')) > maxSmallJoined

/** What is looked at of a row: both ends of a long one. */
const endsOf = (row: string): string[] => (row.length > max ? [row.slice(0, max), row.slice(-max)] : [row])

const isOfBytes = (row: string): boolean =>
  endsOf(row.replace(/=+$/, '')).every(
    (end) => hexadecimal.test(end) || (/[a-z]/.test(end) && /[A-Z]/.test(end) && /\d/.test(end) && !hasWords(end)),
  )

const beginning = /^[^,]*,/

const isUriOfBytes = (uri: string): boolean =>
  endsOf(uri.replace(beginning, '').replace(/=+$/, '')).every((end) => !hasWords(end))

/** The text with blanks in the place of bytes, as many: what stands beside them keeps its place. */
export const withoutPayloads = (text: string): string =>
  blanked(blanked(text, dataUri, isUriOfBytes), letters, isOfBytes)

const blanked = (text: string, { begin, piece }: Row, isPayload: (row: string) => boolean): string => {
  const parts: string[] = []
  let copied = 0
  begin.lastIndex = 0
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    begin.lastIndex = behind(text, padding, behindAll(text, piece, begin.lastIndex))
    const row = text.slice(found.index, begin.lastIndex)
    if (!isPayload(row)) continue
    parts.push(text.slice(copied, found.index), ' '.repeat(row.length))
    copied = begin.lastIndex
  }
  return parts.join('') + text.slice(copied)
}

const behindAll = (text: string, piece: RegExp, from: number): number => {
  let [last, end] = [from, behind(text, piece, from)]
  while (end > last) [last, end] = [end, behind(text, piece, end)]
  return end
}

/** Where a match that begins at a unit ends; the unit where none does. */
const behind = (text: string, sticky: RegExp, from: number): number => {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
