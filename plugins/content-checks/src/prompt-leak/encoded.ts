/** What a text hides in base64, over several lines, too. */

export interface Hidden {
  readonly text: string
  /** Where it is written. */
  readonly start: number
  readonly end: number
}

/** A line of it, or a part of a long one: V8 runs out of stack for a match of megabytes. The last one may be shorter. */
const line = /[A-Za-z\d+/_-]{10,8192}/g
const lastLine = /\s{0,4}\n\s{0,8}[A-Za-z\d+/_-]{1,9}(?=[\s=]|$)/y
const lineEnd = /^(?:\s{0,4}\n\s{0,8})?$/
/** Text has few characters that cannot be shown. */
const unreadable = /[\p{C}\ufffd]/u
const mostUnreadable = 0.05
/** Characters of which it is seen whether it is text. */
const sample = 64

interface Span {
  readonly start: number
  readonly end: number
}

export function* hiddenIn(text: string): Generator<Hidden> {
  for (const lines of linesIn(text)) {
    const hidden = readable(text, whole(text, lines))
    if (hidden) yield hidden
    else for (const one of lines) yield* [readable(text, one)].filter((each) => each !== undefined)
  }
}

/** Lines that stand one below the other. */
function* linesIn(text: string): Generator<readonly [Span, ...Span[]]> {
  let lines: [Span, ...Span[]] | undefined
  for (const { 0: written, index } of text.matchAll(line)) {
    const next = { start: index, end: index + written.length }
    const last = lines?.at(-1)
    if (lines && last && index - last.end <= 13 && lineEnd.test(text.slice(last.end, index))) lines.push(next)
    else {
      if (lines) yield lines
      lines = [next]
    }
  }
  if (lines) yield lines
}

const whole = (text: string, lines: readonly [Span, ...Span[]]): Span => {
  const { end } = lines.at(-1) ?? lines[0]
  lastLine.lastIndex = end
  return { start: lines[0].start, end: end + (lastLine.exec(text)?.[0].length ?? 0) }
}

const readable = (text: string, { start, end }: Span): Hidden | undefined => {
  const letters = text.slice(start, end).replace(/\s+/g, '')
  const hidden = [0, 1, 2, 3].map((skipped) => decoded(letters.slice(skipped))).find((each) => each !== undefined)
  return hidden === undefined ? undefined : { text: hidden, start, end }
}

/** Undefined where that is no text. */
const decoded = (letters: string): string | undefined => {
  if (!isText(decode(letters.slice(0, sample)))) return undefined
  return decode(letters)
}

const decode = (letters: string): string => Buffer.from(letters, 'base64').toString('utf8')

const isText = (text: string): boolean => {
  const characters = Array.from(text).slice(0, -1)
  const bad = characters.filter((one) => unreadable.test(one) && !/\s/.test(one))
  return characters.length > 0 && bad.length <= mostUnreadable * characters.length
}
