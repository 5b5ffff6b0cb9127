/** Detects texts that are JSON, and finds their strings, so that they stay JSON when something is replaced. */

import type { Pacer } from '../async/pacer.js'
import { inSharedThread } from '../threads/shared-threads.js'
import { backslashesBefore } from './escapes/json-escapes.js'
import type { Span } from './view.js'
import { countUpTo } from '../lists/count-up-to.js'

/** Whether the text is an object or a list of JSON. */
export const isJson = (text: string): boolean => {
  if (!beginsAsJson(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const beginsAsJson = (text: string): boolean => /[[{]/.test(nextNonBlank(text, 0) ?? '')

/** UTF-16 code units of JSON that is parsed in this thread: millions of brackets or keys would take half a second. */
const maxLocalJson = 262_144
const module = new URL('./json-thread.js', import.meta.url).href

/**
 * Like {@link isJson}, but a long text is parsed in another thread.
 * @throws safeguard_unavailable, overloaded, the signal's reason
 */
export const isJsonInTime = async (text: string, { call }: Pick<Pacer, 'call'>): Promise<boolean> =>
  text.length <= maxLocalJson || !beginsAsJson(text)
    ? isJson(text)
    : inSharedThread({ module, input: text }, text.length, call)

const blanks = ' \t\n\r'

/** The first character from a position on that is not white space of JSON. */
export const nextNonBlank = (json: string, from: number): string | undefined => {
  let at = from
  while (at < json.length && blanks.includes(json.charAt(at))) at += 1
  return json[at]
}

/**
 * The end of the string that begins at a position. A pattern of strings would exhaust the engine's stack in one of
 * millions of characters.
 */
const endOfString = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    if (backslashesBefore(json, end) % 2 === 0) return end + 1
  }
  return json.length
}

/** The spans of the strings of a text that is JSON, quotes included. */
export function* stringSpans(json: string): Generator<Span, void> {
  for (let start = json.indexOf('"'); start >= 0;) {
    const end = endOfString(json, start)
    yield { start, end }
    start = json.indexOf('"', end)
  }
}

/** Makes a function that returns the string of a JSON text, quotes included, in which a span begins, if any. */
export const stringsIn = async (json: string, pacer: Pacer): Promise<(span: Span) => Span | undefined> => {
  const found: Span[] = []
  for (const span of stringSpans(json)) {
    if (pacer.isDue) await pacer.pause()
    found.push(span)
  }
  const starts = found.map(({ start }) => start)
  return ({ start }) => {
    const last = found[countUpTo(starts, start) - 1]
    return last && start < last.end ? last : undefined
  }
}
