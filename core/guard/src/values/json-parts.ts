/** Finds JSON in texts that contain other things, too: between fences, line by line, after a few words. */

import type { Pacer } from '@sallyport/kit/async'
import { isJsonInTime } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'

/**
 * Yields the spans of JSON objects and lists in a text, in their order. Each goes from the first bracket to the last
 * one: of the text, or else of a section between fences, or else of a line. A step that finds nothing yields undefined,
 * so that the caller can pause.
 */
export async function* jsonParts(text: string, pacer: Pacer): AsyncGenerator<Span | undefined, void> {
  const whole = { start: 0, end: text.length }
  const sections = [...between(text, fences, whole)]
  const json = sections.length > 1 ? await outermost(text, whole, pacer) : undefined
  if (json) yield json
  else for (const section of sections) yield* partsOf(text, section, pacer)
}

async function* partsOf(text: string, section: Span, pacer: Pacer): AsyncGenerator<Span | undefined, void> {
  const part = await outermost(text, section, pacer)
  if (part) yield part
  else for (const line of between(text, lineEnds, section)) yield await outermost(text, line, pacer)
}

const fences = /^[ \t]*(?:```|~~~).*$/gm
const lineEnds = /\n/g

function* between(text: string, pattern: RegExp, { start, end }: Span): Generator<Span> {
  let from = start
  for (const { 0: mark, index } of text.slice(start, end).matchAll(pattern)) {
    yield { start: from, end: start + index }
    from = start + index + mark.length
  }
  yield { start: from, end }
}

/** The beginning of JSON. Other texts are not parsed, because parsers take long to reject them. */
const jsonStart = /^(?:\{\s*["}]|\[\s*["\d\-{[\]tfn])/

const outermost = async (text: string, { start, end }: Span, pacer: Pacer): Promise<Span | undefined> => {
  const content = text.slice(start, end)
  const from = content.search(/[{[]/)
  const json = from < 0 ? '' : content.slice(from, Math.max(content.lastIndexOf('}'), content.lastIndexOf(']')) + 1)
  return jsonStart.test(json) && (await isJsonInTime(json, pacer))
    ? { start: start + from, end: start + from + json.length }
    : undefined
}
