/** The values in texts, for checks that read several of them together. */

import type { Pacer } from '@sallyport/kit/async'
import { failure } from '@sallyport/core'
import { isJsonInTime } from '@sallyport/kit/views'
import { jsonParts } from './json-parts.js'
import { jsonValues } from './json-values.js'
import type { JsonValue } from './json-values.js'

/** A text, with the name of the field or key that holds it. */
export interface NamedText {
  readonly text: string
  readonly name: string
  /** Values of the same column are also read together. */
  readonly column: string
  readonly isKey?: boolean
}

/** A value and the text that it is from. */
export interface Value extends JsonValue {
  /** Position of the text; negative for a separator, which belongs to no text. */
  readonly textIndex: number
  readonly column: string
}

/** Values in their order. Nothing is read across an undefined entry, which marks omitted text. */
export type Values = readonly (Value | undefined)[]

/** UTF-16 code units at each end of a value that are read together with others. */
const edge = 512
/** Replaces the middle of a long value. No finding contains it. */
const ellipsis = ' … '
/**
 * Keys and values read at each end of JSON. A finding spans at most four values, so at most three of them are in one
 * text; with their keys these are six.
 */
const maxEdgeValues = 6

/** Maximum number of values of one text: reading more of them takes minutes. */
const maxValues = 65_536

/**
 * All values of the JSON in a text, with undefined between parts of it that other text separates.
 * @throws safeguard_unavailable for more than can be checked, the signal's reason when aborted
 */
export const valuesIn = async (text: string, pacer: Pacer): Promise<Values> => {
  const values: (Value | undefined)[] = []
  let end = 0
  for await (const part of jsonParts(text, pacer)) {
    if (pacer.isDue) await pacer.pause()
    if (!part) continue
    if (/\S/.test(text.slice(end, part.start))) values.push(undefined)
    ;({ end } = part)
    for await (const value of nonEmptyValues(text.slice(part.start, end), pacer, 0, (name) => name)) {
      if (values.length >= maxValues) throw failure('safeguard_unavailable', { problem: tooMany })
      values.push(shiftedBy(part.start, value))
    }
  }
  return values
}

/** The value of a text that follows `offset` UTF-16 code units of other text. */
export const shiftedBy = (offset: number, { spanOf, ...value }: Value): Value => ({
  ...value,
  spanOf: (span) => {
    const { start, end } = spanOf(span)
    return { start: start + offset, end: end + offset }
  },
})

const tooMany = `JSON of more than ${maxValues} values cannot be checked: send less at a time`

/**
 * The values at both ends of a text. JSON with more than {@link maxValues} is refused elsewhere; only its first values
 * are returned.
 */
export const edgeValues = async (
  { text, name, column, isKey = false }: NamedText,
  textIndex: number,
  pacer: Pacer,
): Promise<Values> => {
  if (isKey || !(await isJsonInTime(text, pacer)))
    return nonEmpty({ text, name, isKey, depth: 0, spanOf: (span) => span }, textIndex, column)
  const first: Value[] = []
  const last: Value[] = []
  let count = 0
  for await (const value of nonEmptyValues(text, pacer, textIndex, (inner) => `${column} ${inner}`)) {
    if (count === maxValues) return [...first.slice(0, maxEdgeValues), undefined]
    count += 1
    if (count <= 2 * maxEdgeValues) first.push(value)
    else if (last.push(value) > maxEdgeValues) last.shift()
  }
  return last.length
    ? [...first.slice(0, maxEdgeValues), undefined, ...[...first, ...last].slice(-maxEdgeValues)]
    : first
}

/** Yields the values that are not blank, as they are read. */
async function* nonEmptyValues(
  json: string,
  pacer: Pacer,
  textIndex: number,
  columnOf: (name: string) => string,
): AsyncGenerator<Value, void> {
  for await (const value of jsonValues(json, pacer)) yield* nonEmpty(value, textIndex, columnOf(value.name))
}

const nonEmpty = ({ text, name, isKey, depth, spanOf }: JsonValue, textIndex: number, column: string): Value[] => {
  const value = { text, name, isKey, depth, spanOf, textIndex, column }
  const inner = text.trim()
  if (!inner) return []
  return inner.length === text.length && inner.length <= 2 * edge ? [value] : [shorten(value, inner)]
}

/** Removes white space at both ends, and the middle of a long value. */
const shorten = (value: Value, inner: string): Value => {
  const isLong = inner.length > 2 * edge
  const text = isLong ? inner.slice(0, edge) + ellipsis + inner.slice(-edge) : inner
  const [before, gone] = [value.text.indexOf(inner), inner.length - text.length]
  const moved = (position: number) => before + position + (isLong && position > edge ? gone : 0)
  return { ...value, text, spanOf: ({ start, end }) => value.spanOf({ start: moved(start), end: moved(end) }) }
}

/**
 * The groups of values that are read together: the values without keys, keys with their values, the keys, and each
 * column. A key that is a plain name was given by a program, so it is not read as part of a value.
 */
export function* adjacentGroups(values: Values): Generator<readonly Value[]> {
  for (const run of runsOf(values)) {
    const withoutKeys = run.filter(({ isKey }) => !isKey)
    const withOtherKeys = run.filter(({ isKey, text }) => !isKey || !isPlainName(text))
    const keyed = withOtherKeys.length > withoutKeys.length ? [withOtherKeys, run.filter(({ isKey }) => isKey)] : []
    for (const group of [withoutKeys, ...keyed, columnsOf(withoutKeys)]) yield* overlappingWindows(group)
  }
}

/** UTF-16 code units that a detector reads at once. */
const windowLength = 16_384
/** A finding spans at most four values, so each window repeats the last three of the window before it. */
const overlap = 3

function* overlappingWindows(values: readonly Value[]): Generator<readonly Value[]> {
  for (let [from, to] = [0, 0]; to < values.length && values.length > 1; from = to - overlap) {
    let length = 0
    for (to = from; to < values.length && (length < windowLength || to <= from + overlap); to += 1)
      length += values[to]?.text.length ?? 0
    yield values.slice(from, to)
  }
}

/** Whether a text has only letters, and the separators of names. */
export const isPlainName = (text: string): boolean => /^[\p{L}\p{M}_$ ]*$/u.test(text)

const runsOf = (values: Values): Value[][] => {
  const runs: Value[][] = [[]]
  for (const value of values)
    if (value) runs.at(-1)?.push(value)
    else runs.push([])
  return runs
}

/** Separates two columns. It belongs to no text, and nothing is found across it. */
const betweenColumns: Value = {
  ...{ textIndex: -1, column: '', name: '', isKey: false, depth: 0 },
  text: ellipsis,
  spanOf: (span) => span,
}

/** The columns whose values are not adjacent already, with a separator between two columns. */
const columnsOf = (values: readonly Value[]): readonly Value[] => {
  const columns = new Map<string, { readonly first: number; last: number; readonly values: Value[] }>()
  for (const [at, value] of values.entries()) {
    const column = columns.get(value.column)
    if (!column) columns.set(value.column, { first: at, last: at, values: [value] })
    else {
      column.values.push(value)
      column.last = at
    }
  }
  return Array.from(columns.values())
    .filter(({ first, last, values: { length } }) => last - first >= length)
    .flatMap(({ values: columnValues }, at) => (at ? [betweenColumns, ...columnValues] : columnValues))
}
