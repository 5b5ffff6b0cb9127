/** Reads the keys and values of a JSON text, with their positions. */

import type { Pacer } from '@sallyport/kit/async'
import { nextNonBlank, isJson, stringSpans, originalReading, unescaped } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'

export interface JsonValue {
  readonly text: string
  /** The nearest key above it. */
  readonly name: string
  readonly isKey: boolean
  /** How many levels of escapes were undone. */
  readonly depth: number
  /** Converts a span of the value to the span of the JSON. */
  readonly spanOf: (span: Span) => Span
}

/** Levels of JSON inside strings of JSON that are read. */
const maxDepth = 4

/**
 * Yields the values in their order, and pauses for other work in between.
 * @param json a valid JSON text
 * @throws the signal's reason when aborted
 */
export async function* jsonValues(json: string, pacer: Pacer): AsyncGenerator<JsonValue, void> {
  for (const value of stepsThrough(json, '', 0)) {
    if (pacer.isDue) await pacer.pause()
    if (value) yield value
  }
}

/** A step without a value yields undefined. @param name the key above the JSON */
function* stepsThrough(json: string, name: string, depth: number): Generator<JsonValue | undefined, void> {
  const names = [name]
  let from = 0
  for (const string of stringSpans(json)) {
    yield* numbersBetween(json, from, string.start, names, depth)
    from = string.end
    const isKey = nextNonBlank(json, from) === ':'
    const value = stringAt(json, string, depth, names, isKey)
    if (isKey || depth >= maxDepth || !isJson(value.text)) yield value
    else for (const inner of stepsThrough(value.text, value.name, depth + 1)) yield inner && relocated(value, inner)
  }
  yield* numbersBetween(json, from, json.length, names, depth)
}

const relocated = (outer: JsonValue, inner: JsonValue): JsonValue => ({
  ...inner,
  spanOf: (span) => outer.spanOf(inner.spanOf(span)),
})

const [opening, closing] = ['{[', '}]']
/** UTF-16 code units that are read without a value before a step ends. */
const step = 4096
const inNumber = '0123456789+-.eE'

/**
 * Yields the numbers between two strings.
 * @param names one for each object and list around the position; brackets add and remove them
 */
function* numbersBetween(
  json: string,
  from: number,
  to: number,
  names: string[],
  depth: number,
): Generator<JsonValue | undefined, void> {
  for (let at = from; at < to; at += 1) {
    if (at % step === 0) yield undefined
    const char = json.charAt(at)
    if (opening.includes(char)) names.push(names.at(-1) ?? '')
    else if (closing.includes(char)) names.pop()
    else if (char === '-' || (char >= '0' && char <= '9')) {
      const start = at
      while (at + 1 < to && inNumber.includes(json.charAt(at + 1))) at += 1
      yield valueAt(json.slice(start, at + 1), names.at(-1) ?? '', false, depth, start)
    }
  }
}

/** @param names the last one becomes the key, if the string is one */
const stringAt = (json: string, { start, end }: Span, depth: number, names: string[], isKey: boolean): JsonValue => {
  const written = json.slice(start + 1, end - 1)
  const { text, sourceOf } = written.includes('\\') ? unescaped(written) : originalReading(written)
  if (isKey) names[names.length - 1] = text
  const value = valueAt(text, names.at(-1) ?? '', isKey, depth + 1, start + 1)
  return text === written ? value : { ...value, spanOf: (span) => value.spanOf(sourceOf(span)) }
}

const valueAt = (text: string, name: string, isKey: boolean, depth: number, offset: number): JsonValue => ({
  text,
  name,
  isKey,
  depth,
  spanOf: ({ start, end }) => ({ start: start + offset, end: end + offset }),
})
