/** Replaces encoded bytes by spaces, as models and lists of names would find words in them. */

/** A form of encoded bytes: its beginning, and a piece that follows, of limited length as engines limit their steps. */
interface PayloadForm {
  readonly begin: RegExp
  readonly piece: RegExp
}

const maxPieceLength = 2 ** 16

/** RFC 2397, with the payload in either alphabet of base64, and with slashes as JSON may write them. */
const dataUri: PayloadForm = {
  begin: /data:[\w.+-]{1,64}\\?\/[\w.+-]{1,64}(?:;[\w.-]{1,32}=[\w.-]{1,64}){0,4};base64,(?:[A-Za-z\d+/_-]|\\\/){16}/gi,
  piece: new RegExp(String.raw`(?:[A-Za-z\d+/_-]|\\/){1,${maxPieceLength}}`, 'y'),
}

const letters: PayloadForm = {
  begin: /[A-Za-z\d+/_-]{40}/g,
  piece: new RegExp(`[A-Za-z\\d+/_-]{1,${maxPieceLength}}`, 'y'),
}

const padding = /={1,2}/y
const hexadecimal = /^(?=[a-f-]*\d)[\da-f]{32,}$/i

/** A run of lower-case letters. Words consist mostly of such runs; of encoded bytes, one letter in ten is in one. */
const lowerCaseRuns = /[a-z]{4,}/g
const maxLowerCaseShare = 0.3
/** The limit after digits were removed, which may hide words. */
const maxLowerCaseShareJoined = 0.4

const lowerCaseShare = (run: string): number => (run.match(lowerCaseRuns)?.join('').length ?? 0) / run.length

/** In encoded bytes, one character in thirty-two is a dash or underscore; between words, one in six. */
const minBetweenDashes = 10

/** Whether a run contains words, with or without digits in them. */
const hasWords = (run: string): boolean =>
  run.split(/[-_]/).length > 1 + run.length / minBetweenDashes ||
  lowerCaseShare(run) > maxLowerCaseShare ||
  lowerCaseShare(run.replace(/\d+/g, '')) > maxLowerCaseShareJoined

/** The parts of a run that are examined: both ends of a long one. */
const endsOf = (run: string): string[] =>
  run.length > maxPieceLength ? [run.slice(0, maxPieceLength), run.slice(-maxPieceLength)] : [run]

const isEncoded = (run: string): boolean =>
  endsOf(run.replace(/=+$/, '')).every(
    (end) => hexadecimal.test(end) || (/[a-z]/.test(end) && /[A-Z]/.test(end) && /\d/.test(end) && !hasWords(end)),
  )

const isEncodedUri = (uri: string): boolean => endsOf(uri.replace(/^[^,]*,|=+$/g, '')).every((end) => !hasWords(end))

/** Replaces encoded bytes by as many spaces, so that offsets stay valid. */
export const withoutPayloads = (text: string): string =>
  withSpaces(withSpaces(text, dataUri, isEncodedUri), letters, isEncoded)

const withSpaces = (text: string, { begin, piece }: PayloadForm, isPayload: (run: string) => boolean): string => {
  const parts: string[] = []
  let copied = 0
  begin.lastIndex = 0
  for (let match = begin.exec(text); match; match = begin.exec(text)) {
    begin.lastIndex = endOfMatch(text, padding, endOfMatches(text, piece, begin.lastIndex))
    const run = text.slice(match.index, begin.lastIndex)
    if (!isPayload(run)) continue
    parts.push(text.slice(copied, match.index), ' '.repeat(run.length))
    copied = begin.lastIndex
  }
  return parts.join('') + text.slice(copied)
}

const endOfMatches = (text: string, piece: RegExp, from: number): number => {
  let [last, end] = [from, endOfMatch(text, piece, from)]
  while (end > last) [last, end] = [end, endOfMatch(text, piece, end)]
  return end
}

/** The end of the match of a sticky pattern at an offset; the offset itself where it does not match. */
const endOfMatch = (text: string, sticky: RegExp, from: number): number => {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
