/**
 * Holds values to their shapes. Types prove nothing about what comes from outside, or from plugins that no compiler
 * saw.
 */

import { types } from 'node:util'
import { showPath } from '@sallyport/kit/json'
import { didYouMean } from '@sallyport/kit/text'
import { findingsShape, nameOfMember } from '@sallyport/core'
import type { Finding, AnyShape, EitherShape, ListShape, OneOfShape } from '@sallyport/core'

/** What is wrong with a value, and where. It quotes names of fields, and nothing that stands in them. */
export class Misfit extends TypeError {
  override readonly name = 'Misfit'
  private readonly steps: (string | number)[] = []

  constructor(readonly problem: string) {
    super(problem)
  }

  /** `messages[0].content`; empty where the value itself is meant. */
  get path(): string {
    return showPath(this.steps)
  }

  under(step: string | number): this {
    this.steps.unshift(step)
    return this
  }
}

/** What is done about fields that are not declared. */
type Undeclared = 'refused' | 'left out'

/**
 * A plain copy of the value, made of what is declared. Each field is read once, so that what was looked at is what goes
 * on, whatever getters and proxies say the next time. Strings and bytes are not copied.
 * @throws Misfit
 */
export const conform = (shape: AnyShape, value: unknown, undeclared: Undeclared): unknown =>
  readerOf(shape, undeclared)(value)

type Reader = (value: unknown) => unknown

const known = { refused: new WeakMap<object, Reader>(), 'left out': new WeakMap<object, Reader>() }

const readerOf = (shape: AnyShape, undeclared: Undeclared): Reader => {
  if (typeof shape === 'string') return plainReaders[shape] ?? text
  const reader = known[undeclared].get(shape) ?? newReader(shape, undeclared)
  known[undeclared].set(shape, reader)
  return reader
}

const newReader = (shape: object, undeclared: Undeclared): Reader => {
  if ('opaque' in shape) return text
  if ('$bytes' in shape) return bytes
  if ('$json' in shape) return anyJson
  if ('$oneOf' in shape) return wordOf(shape as OneOfShape)
  if ('$list' in shape) {
    const { $list: item } = shape as ListShape
    if (item === 'number') return undeclared === 'refused' ? sharedNumbers : numbers
    return listOf(itemOf(item, undeclared))
  }
  if ('$either' in shape) return eitherOf(shape as EitherShape, undeclared)
  const [first, ...others] = Object.entries(shape as Record<string, AnyShape>)
  if (first?.[0] === '*' && !others.length) return recordOf(readerOf(first[1], undeclared))
  const read = objectOf(shape as Record<string, AnyShape>, undeclared)
  return shape === findingsShape.$list && undeclared === 'left out' ? findingOf(read) : read
}

/** Describes a value to people, and tells nothing of its content. */
const kindOf = (value: unknown): string => {
  if (value === undefined) return 'is missing'
  if (value === null) return 'is null'
  if (Array.isArray(value)) return 'is a list'
  if (typeof value !== 'object') return typeof value === 'string' ? 'is a text' : `is a ${typeof value}`
  return types.isBoxedPrimitive(value) ? 'is a boxed primitive' : 'is an object'
}

const expected = (what: string, value: unknown) => new Misfit(`must be ${what}, but ${kindOf(value)}`)

const reader =
  (what: string, fits: (value: unknown) => boolean): Reader =>
  (value) => {
    if (!fits(value)) throw expected(what, value)
    return value
  }

const text = reader('a text', (value) => typeof value === 'string')
const bytes = reader('bytes (a Uint8Array)', types.isUint8Array)
const plainReaders: Readonly<Record<string, Reader>> = {
  number: reader('a number', (value) => typeof value === 'number'),
  boolean: reader('true or false', (value) => typeof value === 'boolean'),
  floats: reader('a Float32Array', types.isFloat32Array),
}

const wordOf = ({ $oneOf: words }: OneOfShape): Reader => {
  const names = Object.keys(words).map((word) => `"${word}"`)
  return reader(`one of ${names.join(', ')}`, (value) => typeof value === 'string' && Object.hasOwn(words, value))
}

/** An item of a request that says nothing is a mistake, even where each of its fields may be absent. */
const itemOf = (item: AnyShape, undeclared: Undeclared): Reader => {
  const read = readerOf(item, undeclared)
  if (undeclared !== 'refused' || typeof item === 'string') return read
  const names = Object.keys(item)
  if (!names.length || !names.every((name) => name.endsWith('?'))) return read
  return (value) => {
    const copy = read(value)
    if (isEmpty(copy as object)) throw new Misfit(`must have one of ${quoted(names.map(nameOfMember))}`)
    return copy
  }
}

/** Token ids of a request may be a million: they stay where they are. */
const sharedNumbers: Reader = (value) => {
  if (!Array.isArray(value)) throw expected('a list', value)
  const { length } = value
  for (let at = 0; at < length; at += 1)
    if (typeof value[at] !== 'number') throw expected('a number', value[at]).under(at)
  return value as unknown
}

/** To call a function for each of the numbers would take several times as long. */
const numbers: Reader = (value) => {
  if (!Array.isArray(value)) throw expected('a list', value)
  const copy: number[] = []
  const { length } = value
  for (let at = 0; at < length; at += 1) {
    const item: unknown = value[at]
    if (typeof item !== 'number') throw expected('a number', item).under(at)
    copy.push(item)
  }
  return copy
}

const listOf =
  (read: Reader): Reader =>
  (value) => {
    if (!Array.isArray(value)) throw expected('a list', value)
    return readItems(value, read)
  }

const readItems = (items: readonly unknown[], read: Reader): unknown[] => {
  const copy: unknown[] = []
  const { length } = items
  let at = 0
  try {
    for (; at < length; at += 1) copy.push(read(items[at]))
    return copy
  } catch (error) {
    throw placed(error, at)
  }
}

const placed = (error: unknown, step: string | number): unknown => (error instanceof Misfit ? error.under(step) : error)

/** A string is read as the text, so that an unknown word is told what it may be; all else is read as the structure. */
const eitherOf = ({ $either: [leaf, structure] }: EitherShape, undeclared: Undeclared): Reader => {
  const [word, inside] = [readerOf(leaf, undeclared), readerOf(structure, undeclared)]
  const what = isList(structure) ? 'a text or a list' : 'a text or an object'
  return (value) => {
    if (typeof value === 'string') return word(value)
    if (!isObject(value)) throw expected(what, value)
    return inside(value)
  }
}

const isList = (shape: AnyShape): boolean => typeof shape === 'object' && '$list' in shape

/** Whether the value is an object or a list, and not one of those that stand for something else than their fields. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !types.isBoxedPrimitive(value) && !ArrayBuffer.isView(value)

interface Member {
  readonly required: boolean
  readonly read: Reader
}

const objectOf = (shape: Readonly<Record<string, AnyShape>>, undeclared: Undeclared): Reader => {
  const members = new Map(
    Object.entries(shape).map(([key, inner]): [string, Member] => [
      nameOfMember(key),
      { required: !key.endsWith('?'), read: readerOf(inner, undeclared) },
    ]),
  )
  const names = [...members.keys()]
  const required = names.filter((name) => members.get(name)?.required)
  const what = names.length ? `an object with ${quoted(names)}` : 'an object'
  const onOther = undeclared === 'refused' ? (key: string) => refuseOther(key, names) : () => undefined
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) throw expected(what, value)
    const copy = readMembers(value, members, onOther)
    for (const name of required) if (!(name in copy)) refuseMissing(name, members)
    if (undeclared === 'left out' && names.length && isEmpty(copy) && !isEmpty(value))
      throw new Misfit(`has no known field: there are ${quoted(names)}`)
    return copy
  }
}

/**
 * A long text has hundreds of thousands of findings: to read them member by member would take several times as long.
 */
const findingOf =
  (read: Reader): Reader =>
  (value) => {
    if (!isObject(value) || Array.isArray(value)) return read(value)
    const { type, start, end, score } = value as Readonly<Record<keyof Finding, unknown>>
    const copy = { type, start, end, score }
    const hasNumbers = typeof start === 'number' && typeof end === 'number' && typeof score === 'number'
    return hasNumbers && typeof type === 'string' ? copy : read(copy)
  }

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

const readMembers = (
  value: object,
  members: ReadonlyMap<string, Member>,
  onOther: (key: string) => void,
): Record<string, unknown> => {
  const copy: Record<string, unknown> = {}
  let reading = ''
  try {
    for (const key in value) {
      reading = key
      const member = members.get(key)
      if (!member) onOther(key)
      else set(copy, key, (value as Record<string, unknown>)[key], member.read)
    }
    return copy
  } catch (error) {
    throw placed(error, reading)
  }
}

/** Copies a member, unless it is undefined: that counts as absent. */
const set = (copy: Record<string, unknown>, key: string, value: unknown, read: Reader): void => {
  if (value !== undefined) copy[key] = read(value)
}

const refuseOther = (key: string, names: readonly string[]): void => {
  throw new Misfit(`unknown field${didYouMean(key, names)}`)
}

/** @throws Misfit, unless the member may be anything, and so may be absent, too */
const refuseMissing = (name: string, members: ReadonlyMap<string, Member>): void => {
  try {
    members.get(name)?.read(undefined)
  } catch (error) {
    throw placed(error, name)
  }
}

const isEmpty = (value: object): boolean => {
  for (const _ in value) return false
  return true
}

const recordOf =
  (read: Reader): Reader =>
  (value) => {
    if (!isObject(value) || Array.isArray(value)) throw expected('an object', value)
    return readEntries(value, read)
  }

const readEntries = (value: object, read: Reader): object => {
  let reading = ''
  try {
    const entries = Object.keys(value).map((key) => [(reading = key), read((value as Record<string, unknown>)[key])])
    return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as object
  } catch (error) {
    throw placed(error, reading)
  }
}

/** Values that are nested deeper than this contain themselves, as a rule. */
const deepest = 512

/** Members that are undefined are left out, as in JSON. */
const anyJson: Reader = (value) => readJson(value, deepest)

const readJson = (value: unknown, depth: number): unknown => {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth === 0) throw new Misfit('is nested too deep, or contains itself')
  const inside: Reader = (inner) => readJson(inner, depth - 1)
  if (Array.isArray(value)) return readItems(value, inside)
  if (!isPlain(value)) throw expected('plain JSON', value)
  return readEntries(value, inside)
}

/** Whether it is a plain object, even one of another realm, as under test runners. */
const isPlain = (value: unknown): value is object => {
  if (!isObject(value)) return false
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
