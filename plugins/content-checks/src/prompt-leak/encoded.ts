/** Finds base64, also over several lines: unlike the kit's views, also as short as a canary, and after other letters. */

import type { Span } from '@sallyport/kit/views'

interface DecodedText extends Span {
  readonly text: string
}

/** A line of base64, or a part of a long one: V8 runs out of stack for a match of megabytes. */
const line = /[A-Za-z\d+/_-]{10,8192}/g
/** The last line may be shorter. */
const lastLine = /\s{0,4}\n\s{0,8}[A-Za-z\d+/_-]{1,9}(?=[\s=]|$)/y
const lineEnd = /^(?:\s{0,4}\n\s{0,8})?$/
const maxLineEndLength = 13
/** Text has few control characters and few that could not be decoded. */
const unreadable = /[\p{C}\ufffd]/u
const maxUnreadableShare = 0.05
/** How many characters decide whether a run is text. */
const sampleLength = 64

export function* decodedIn(text: string): Generator<DecodedText> {
  let lines: Span[] = []
  for (const { 0: written, index } of text.matchAll(line)) {
    const end = lines.at(-1)?.end ?? index
    if (index - end > maxLineEndLength || !lineEnd.test(text.slice(end, index))) {
      yield* decodeLines(text, lines)
      lines = []
    }
    lines.push({ start: index, end: index + written.length })
  }
  yield* decodeLines(text, lines)
}

/** Decodes consecutive lines together or, where that does not give text, each by itself. */
function* decodeLines(text: string, lines: readonly Span[]): Generator<DecodedText> {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return
  lastLine.lastIndex = last.end
  const whole = { start: first.start, end: last.end + (lastLine.exec(text)?.[0].length ?? 0) }
  const decoded = decode(text, whole)
  yield* decoded.length ? decoded : lines.flatMap((one) => decode(text, one))
}

/** Tries each of the first four letters as the start, as those before it may not belong to the base64. */
const decode = (text: string, { start, end }: Span): DecodedText[] => {
  const letters = text.slice(start, end).replace(/\s+/g, '')
  for (let skipped = 0; skipped < 4; skipped += 1)
    if (isText(fromBase64(letters.slice(skipped, skipped + sampleLength))))
      return [{ text: fromBase64(letters.slice(skipped)), start, end }]
  return []
}

const fromBase64 = (letters: string): string => Buffer.from(letters, 'base64').toString('utf8')

const isText = (text: string): boolean => {
  const characters = Array.from(text).slice(0, -1)
  const unreadableOnes = characters.filter((one) => unreadable.test(one) && !/\s/.test(one))
  return characters.length > 0 && unreadableOnes.length <= maxUnreadableShare * characters.length
}
