/** What texts consist of, for whoever reads them together. */

import type { Pacer } from '@sallyport/kit/async'
import { failure } from '@sallyport/core'
import { isJsonInTime } from '@sallyport/kit/views'
import { jsonParts } from './json-parts.js'
import { jsonValues } from './json-values.js'
import type { JsonValue } from './json-values.js'

/** A text among others. */
export interface NamedText {
  readonly text: string
  /** The name of the field or key that holds it. */
  readonly name: string
  /** What else of this name stands in is read together, too. */
  readonly column: string
  readonly isKey?: boolean
}

/** A value, and of which of the texts it is. */
export interface Value extends JsonValue {
  /** Position of the text; below zero of what only stands between values. */
  readonly of: number
  readonly column: string
}

/** Values; undefined stands for what is left out, across which nothing is read. */
export type Values = readonly (Value | undefined)[]

/** UTF-16 units at each end of a value that are read together with others. */
const edge = 512
/** Stands for what is left out between two ends; nothing that is looked for contains it. */
const leftOut = ' … '
/** Keys and values read at each end of JSON: a finding over four values has at most three, each with its key, in one text. */
const edgeValues = 6

/** Values of one text: reading more of them takes minutes. */
const maxValues = 65_536

/**
 * All values of the JSON in a text; undefined between parts of it that something else stands between.
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
    for await (const value of presentIn(text.slice(part.start, end), pacer, 0, (name) => name)) {
      if (values.length >= maxValues) throw failure('safeguard_unavailable', { problem: tooMany })
      values.push(movedBy(part.start, value))
    }
  }
  return values
}

/** Moves a value to where it stands when its text follows `offset` UTF-16 units of others. */
export const movedBy = (offset: number, { spanOf, ...value }: Value): Value => ({
  ...value,
  spanOf: (span) => {
    const { start, end } = spanOf(span)
    return { start: start + offset, end: end + offset }
  },
})

const tooMany = `JSON of more than ${maxValues} values cannot be checked: send less at a time`

/** Those at the ends of a text. Of JSON with more than {@link maxValues}, which is refused by itself, the first ones. */
export const edgesOf = async (
  { text, name, column, isKey = false }: NamedText,
  of: number,
  pacer: Pacer,
): Promise<Values> => {
  if (isKey || !(await isJsonInTime(text, pacer)))
    return present({ text, name, isKey, depth: 0, spanOf: (span) => span }, of, column)
  const first: Value[] = []
  const last: Value[] = []
  let count = 0
  for await (const value of presentIn(text, pacer, of, (inner) => `${column} ${inner}`)) {
    if (count === maxValues) return [...first.slice(0, edgeValues), undefined]
    count += 1
    if (count <= 2 * edgeValues) first.push(value)
    else if (last.push(value) > edgeValues) last.shift()
  }
  return last.length ? [...first.slice(0, edgeValues), undefined, ...[...first, ...last].slice(-edgeValues)] : first
}

/** Those that say anything, as they are read. */
async function* presentIn(
  json: string,
  pacer: Pacer,
  of: number,
  columnOf: (name: string) => string,
): AsyncGenerator<Value, void> {
  for await (const value of jsonValues(json, pacer)) yield* present(value, of, columnOf(value.name))
}

const present = ({ text, name, isKey, depth, spanOf }: JsonValue, of: number, column: string): Value[] => {
  const value = { text, name, isKey, depth, spanOf, of, column }
  const inner = text.trim()
  if (!inner) return []
  return inner.length === text.length && inner.length <= 2 * edge ? [value] : [shortened(value, inner)]
}

/** Without white space at its ends, and a long one without its middle. */
const shortened = (value: Value, inner: string): Value => {
  const isLong = inner.length > 2 * edge
  const text = isLong ? inner.slice(0, edge) + leftOut + inner.slice(-edge) : inner
  const [before, gone] = [value.text.indexOf(inner), inner.length - text.length]
  const moved = (position: number) => before + position + (isLong && position > edge ? gone : 0)
  return { ...value, text, spanOf: ({ start, end }) => value.spanOf({ start: moved(start), end: moved(end) }) }
}

/**
 * What is read together of values: values in their order, keys, keys with their values, and what stands under one name,
 * one name after the other. Keys of letters alone are names that programs know a value by, and no part of it.
 */
export function* sequencesOf(values: Values): Generator<readonly Value[]> {
  for (const run of runsOf(values)) {
    const own = run.filter(({ isKey }) => !isKey)
    const said = run.filter(({ isKey, text }) => !isKey || !isInLetters(text))
    const keyed = said.length > own.length ? [said, run.filter(({ isKey }) => isKey)] : []
    for (const sequence of [own, ...keyed, columnsOf(own)]) yield* partsOf(sequence)
  }
}

/** UTF-16 units that are read at a time. */
const maxPart = 16_384
/** Values over which one finding may go, but for one of them: so many are read again in the next part. */
const overlap = 3

function* partsOf(values: readonly Value[]): Generator<readonly Value[]> {
  for (let [from, to] = [0, 0]; to < values.length && values.length > 1; from = to - overlap) {
    let length = 0
    for (to = from; to < values.length && (length < maxPart || to <= from + overlap); to += 1)
      length += values[to]?.text.length ?? 0
    yield values.slice(from, to)
  }
}

export const isInLetters = (text: string): boolean => /^[\p{L}\p{M}_$ ]*$/u.test(text)

const runsOf = (values: Values): Value[][] => {
  const runs: Value[][] = [[]]
  for (const value of values)
    if (value) runs.at(-1)?.push(value)
    else runs.push([])
  return runs
}

/** Stands between two columns. It belongs to no text, and nothing is found across it. */
const betweenColumns: Value = {
  ...{ of: -1, column: '', name: '', isKey: false, depth: 0 },
  text: leftOut,
  spanOf: (span) => span,
}

/** Those whose values do not stand beside each other anyway, apart from each other. */
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
    .flatMap(({ values: of }, at) => (at ? [betweenColumns, ...of] : of))
}
