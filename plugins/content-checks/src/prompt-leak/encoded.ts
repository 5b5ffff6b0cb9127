/**
 * What a text hides in base64, over several lines, too. The views of the kit leave out what is as short as a canary, and
 * what begins with letters of something else.
 */

import type { Span } from '@sallyport/kit/views'

export interface Hidden extends Span {
  readonly text: string
}

/** A line of it, or a part of a long one: V8 runs out of stack for a match of megabytes. The last one may be shorter. */
const line = /[A-Za-z\d+/_-]{10,8192}/g
const lastLine = /\s{0,4}\n\s{0,8}[A-Za-z\d+/_-]{1,9}(?=[\s=]|$)/y
const lineEnd = /^(?:\s{0,4}\n\s{0,8})?$/
const maxLineEnd = 13
/** Text has few characters that cannot be shown. */
const unreadable = /[\p{C}\ufffd]/u
const maxUnreadable = 0.05
/** Characters of which it is seen whether it is text. */
const sample = 64

export function* hiddenIn(text: string): Generator<Hidden> {
  let lines: Span[] = []
  for (const { 0: written, index } of text.matchAll(line)) {
    const end = lines.at(-1)?.end ?? index
    if (index - end > maxLineEnd || !lineEnd.test(text.slice(end, index))) {
      yield* readable(text, lines)
      lines = []
    }
    lines.push({ start: index, end: index + written.length })
  }
  yield* readable(text, lines)
}

/** Lines that stand one below the other: together, or else those that say something by themselves. */
function* readable(text: string, lines: readonly Span[]): Generator<Hidden> {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return
  lastLine.lastIndex = last.end
  const whole = { start: first.start, end: last.end + (lastLine.exec(text)?.[0].length ?? 0) }
  const hidden = decoded(text, whole)
  if (hidden) yield hidden
  else for (const one of lines) yield* [decoded(text, one)].filter((each) => each !== undefined)
}

/** Letters before it may belong to no base64. Undefined where there is no text. */
const decoded = (text: string, { start, end }: Span): Hidden | undefined => {
  const letters = text.slice(start, end).replace(/\s+/g, '')
  for (let skipped = 0; skipped < 4; skipped += 1)
    if (isText(decode(letters.slice(skipped, skipped + sample))))
      return { text: decode(letters.slice(skipped)), start, end }
  return undefined
}

const decode = (letters: string): string => Buffer.from(letters, 'base64').toString('utf8')

const isText = (text: string): boolean => {
  const characters = Array.from(text).slice(0, -1)
  const bad = characters.filter((one) => unreadable.test(one) && !/\s/.test(one))
  return characters.length > 0 && bad.length <= maxUnreadable * characters.length
}
