/** Blanks out encoded bytes, in which models and lists of names would find words. */

/** A form of encoded bytes: its beginning, and the next chunk, of limited length as engines limit their steps. */
interface PayloadForm {
  readonly begin: RegExp
  readonly chunk: RegExp
}

const max = 2 ** 16

/** RFC 2397, with the payload in either alphabet of base64, and with slashes as JSON may write them. */
const dataUri: PayloadForm = {
  begin: /data:[\w.+-]{1,64}\\?\/[\w.+-]{1,64}(?:;[\w.-]{1,32}=[\w.-]{1,64}){0,4};base64,(?:[A-Za-z\d+/_-]|\\\/){16}/gi,
  chunk: new RegExp(String.raw`(?:[A-Za-z\d+/_-]|\\/){1,${max}}`, 'y'),
}

const letters: PayloadForm = { begin: /[A-Za-z\d+/_-]{40}/g, chunk: new RegExp(`[A-Za-z\\d+/_-]{1,${max}}`, 'y') }

const padding = /={1,2}/y
const hexadecimal = /^(?=[a-f-]*\d)[\da-f]{32,}$/i

/** A run of lower-case letters. Words consist mostly of such runs; of encoded bytes, one letter in ten stands in one. */
const smallLetters = /[a-z]{4,}/g
const maxSmall = 0.3
/** The limit after digits were removed, which may hide words. */
const maxSmallJoined = 0.4

const shareOfSmall = (row: string): number => (row.match(smallLetters)?.join('').length ?? 0) / row.length

/** Encoded bytes have a dash or underscore at one place of thirty-two, words at one of six. */
const minBetweenDashes = 10

/** Whether a row contains words, with or without digits in them. */
const hasWords = (row: string): boolean =>
  row.split(/[-_]/).length > 1 + row.length / minBetweenDashes ||
  shareOfSmall(row) > maxSmall ||
  shareOfSmall(row.replace(/\d+/g, '')) > maxSmallJoined

/** The parts of a row that are judged: both ends of a long one. */
const endsOf = (row: string): string[] => (row.length > max ? [row.slice(0, max), row.slice(-max)] : [row])

const isOfBytes = (row: string): boolean =>
  endsOf(row.replace(/=+$/, '')).every(
    (end) => hexadecimal.test(end) || (/[a-z]/.test(end) && /[A-Z]/.test(end) && /\d/.test(end) && !hasWords(end)),
  )

const beginning = /^[^,]*,/

const isUriOfBytes = (uri: string): boolean =>
  endsOf(uri.replace(beginning, '').replace(/=+$/, '')).every((end) => !hasWords(end))

/** Replaces encoded bytes by as many blanks, so that offsets stay valid. */
export const withoutPayloads = (text: string): string =>
  withBlanks(withBlanks(text, dataUri, isUriOfBytes), letters, isOfBytes)

const withBlanks = (text: string, { begin, chunk }: PayloadForm, isPayload: (row: string) => boolean): string => {
  const parts: string[] = []
  let copied = 0
  begin.lastIndex = 0
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    begin.lastIndex = behind(text, padding, behindAll(text, chunk, begin.lastIndex))
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

/** The end of the match of a sticky pattern at a place; the place itself where it does not match. */
const behind = (text: string, sticky: RegExp, from: number): number => {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
