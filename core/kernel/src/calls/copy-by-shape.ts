/**
 * Copies and validates values by their shapes. Types prove nothing about values that come from outside, or from
 * plugins that no compiler saw.
 */

import { didYouMean } from '@sallyport/kit/text'
import { findingsShape, nameOfMember } from '@sallyport/core'
import type { Finding, AnyShape, EitherShape, ListShape, OneOfShape } from '@sallyport/core'
import { anyJson, bytes, expected, isObject, ShapeMismatch, numbers, withStep } from './readers.js'
import { plainReaders, reader, readEntries, readItems, sharedNumbers, string } from './readers.js'
import type { Reader } from './readers.js'

/** Undeclared fields of requests are refused; those of results are left out. */
type Side = 'request' | 'result'

/**
 * Makes a plain copy of the declared fields. Each field is read once, so that what was validated is what is used,
 * whatever getters and proxies return the next time. Strings, bytes, Float32Arrays and, in requests, lists of numbers
 * are not copied.
 * @throws ShapeMismatch
 */
export const copyByShape = (shape: AnyShape, value: unknown, side: Side): unknown => readerOf(shape, side)(value)

const readers = { request: new WeakMap<object, Reader>(), result: new WeakMap<object, Reader>() }

const readerOf = (shape: AnyShape, side: Side): Reader => {
  if (typeof shape === 'string') return plainReaders[shape] ?? string
  const reader = readers[side].get(shape) ?? newReader(shape, side)
  readers[side].set(shape, reader)
  return reader
}

const newReader = (shape: object, side: Side): Reader => {
  if ('opaque' in shape) return string
  if ('$bytes' in shape) return bytes
  if ('$json' in shape) return anyJson
  if ('$oneOf' in shape) return enumOf(shape as OneOfShape)
  if ('$list' in shape) {
    const { $list: item } = shape as ListShape
    if (item === 'number') return side === 'request' ? sharedNumbers : numbers
    return arrayOf(itemOf(item, side))
  }
  if ('$either' in shape) return eitherOf(shape as EitherShape, side)
  const [first, ...others] = Object.entries(shape as Record<string, AnyShape>)
  if (first?.[0] === '*' && !others.length) return recordOf(readerOf(first[1], side))
  const read = objectOf(shape as Record<string, AnyShape>, side)
  return shape === findingsShape.$list && side === 'result' ? findingOf(read) : read
}

const enumOf = ({ $oneOf: values }: OneOfShape): Reader => {
  const names = Object.keys(values).map((name) => `"${name}"`)
  return reader(`one of ${names.join(', ')}`, (value) => typeof value === 'string' && Object.hasOwn(values, value))
}

/** An empty item of a request is a mistake, even where each of its fields may be absent. */
const itemOf = (item: AnyShape, side: Side): Reader => {
  const read = readerOf(item, side)
  if (side !== 'request' || typeof item === 'string') return read
  const names = Object.keys(item)
  if (!names.length || !names.every((name) => name.endsWith('?'))) return read
  return (value) => {
    const copy = read(value)
    if (isEmpty(copy as object)) throw new ShapeMismatch(`must have one of ${quoted(names.map(nameOfMember))}`)
    return copy
  }
}

const arrayOf =
  (read: Reader): Reader =>
  (value) => {
    if (!Array.isArray(value)) throw expected('an array', value)
    return readItems(value, read)
  }

/**
 * Reads a string as the leaf and anything else as the structure. Trying both would lose the message of an enumeration,
 * which lists its values.
 */
const eitherOf = ({ $either: [leaf, structure] }: EitherShape, side: Side): Reader => {
  const [readLeaf, readStructure] = [readerOf(leaf, side), readerOf(structure, side)]
  const what = isList(structure) ? 'a string or an array' : 'a string or an object'
  return (value) => {
    if (typeof value === 'string') return readLeaf(value)
    if (!isObject(value)) throw expected(what, value)
    return readStructure(value)
  }
}

const isList = (shape: AnyShape): boolean => typeof shape === 'object' && '$list' in shape

interface Member {
  readonly required: boolean
  readonly read: Reader
}

const objectOf = (shape: Readonly<Record<string, AnyShape>>, side: Side): Reader => {
  const members = new Map(
    Object.entries(shape).map(([key, inner]): [string, Member] => [
      nameOfMember(key),
      { required: !key.endsWith('?'), read: readerOf(inner, side) },
    ]),
  )
  const names = [...members.keys()]
  const required = names.filter((name) => members.get(name)?.required)
  const what = names.length ? `an object with ${quoted(names)}` : 'an object'
  const onUndeclared = side === 'request' ? (key: string) => refuseUndeclared(key, names) : () => undefined
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) throw expected(what, value)
    const copy = readMembers(value, members, onUndeclared)
    for (const name of required) if (!(name in copy)) refuseMissing(name, members)
    if (side === 'result' && names.length && isEmpty(copy) && !isEmpty(value))
      throw new ShapeMismatch(`has no known field: there are ${quoted(names)}`)
    return copy
  }
}

/**
 * A fast path: a long text may have hundreds of thousands of findings, and reading member by member takes several times
 * as long.
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
  onUndeclared: (key: string) => void,
): Record<string, unknown> => {
  const copy: Record<string, unknown> = {}
  let reading = ''
  try {
    for (const key in value) {
      reading = key
      const member = members.get(key)
      if (!member) onUndeclared(key)
      else copyMember(copy, key, (value as Record<string, unknown>)[key], member.read)
    }
    return copy
  } catch (error) {
    throw withStep(error, reading)
  }
}

/** Copies a member, unless it is undefined: that counts as absent. */
const copyMember = (copy: Record<string, unknown>, key: string, value: unknown, read: Reader): void => {
  if (value !== undefined) copy[key] = read(value)
}

const refuseUndeclared = (key: string, names: readonly string[]): void => {
  throw new ShapeMismatch(`unknown field${didYouMean(key, names)}`)
}

/** @throws ShapeMismatch, unless the member may be anything and therefore absent */
const refuseMissing = (name: string, members: ReadonlyMap<string, Member>): void => {
  try {
    members.get(name)?.read(undefined)
  } catch (error) {
    throw withStep(error, name)
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
