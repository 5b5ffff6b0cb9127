/** JSON in texts that say other things, too: between fences, line by line, behind a few words. */

import { isJson } from '../json-text.js'
import type { Span } from '../readings.js'

/**
 * Objects and lists of JSON in a text, in their order: from the first bracket to the last one of the text, else of what
 * stands between fences, else of a line. Undefined stands for a step that finds none.
 */
export function* jsonParts(text: string): Generator<Span | undefined, void> {
  const whole = outermost(text, { start: 0, end: text.length })
  if (whole) yield whole
  else for (const section of between(text, fences)) yield* partsOf(text, section)
}

function* partsOf(text: string, section: Span): Generator<Span | undefined, void> {
  const part = outermost(text, section)
  if (part) yield part
  else for (const line of between(text, lineEnds, section)) yield outermost(text, line)
}

const fences = /^[ \t]*(?:```|~~~).*$/gm
const lineEnds = /\n/g

function* between(text: string, pattern: RegExp, { start, end } = { start: 0, end: text.length }): Generator<Span> {
  let from = start
  for (const { 0: mark, index } of text.slice(start, end).matchAll(pattern)) {
    yield { start: from, end: start + index }
    from = start + index + mark.length
  }
  yield { start: from, end }
}

/** What parsers need not be asked about: they take long to refuse. */
const beginning = /^(?:\{\s*["}]|\[\s*["\d\-{[\]tfn])/

const outermost = (text: string, { start, end }: Span): Span | undefined => {
  const said = text.slice(start, end)
  const from = said.search(/[{[]/)
  const json = from < 0 ? '' : said.slice(from, Math.max(said.lastIndexOf('}'), said.lastIndexOf(']')) + 1)
  return beginning.test(json) && isJson(json) ? { start: start + from, end: start + from + json.length } : undefined
}
