/** JSON in texts that say other things, too: between fences, line by line, behind a few words. */

import type { Pacer } from '@sallyport/kit/async'
import { isJsonInTime } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'

/**
 * Objects and lists of JSON in a text, in their order: from the first bracket to the last one of the text, else of what
 * stands between fences, else of a line. Undefined stands for a step that finds none.
 */
export async function* jsonParts(text: string, pacer: Pacer): AsyncGenerator<Span | undefined, void> {
  const whole = await outermost(text, { start: 0, end: text.length }, pacer)
  if (whole) yield whole
  else for (const section of between(text, fences)) yield* partsOf(text, section, pacer)
}

async function* partsOf(text: string, section: Span, pacer: Pacer): AsyncGenerator<Span | undefined, void> {
  const part = await outermost(text, section, pacer)
  if (part) yield part
  else for (const line of between(text, lineEnds, section)) yield await outermost(text, line, pacer)
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

const outermost = async (text: string, { start, end }: Span, pacer: Pacer): Promise<Span | undefined> => {
  const content = text.slice(start, end)
  const from = content.search(/[{[]/)
  const json = from < 0 ? '' : content.slice(from, Math.max(content.lastIndexOf('}'), content.lastIndexOf(']')) + 1)
  return beginning.test(json) && (await isJsonInTime(json, pacer))
    ? { start: start + from, end: start + from + json.length }
    : undefined
}
