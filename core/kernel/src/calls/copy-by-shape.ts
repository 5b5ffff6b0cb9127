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

/** What happens to fields that are not declared. */
type Undeclared = 'refused' | 'left out'

/**
 * Makes a plain copy of the declared fields. Each field is read once, so that what was validated is what is used,
 * whatever getters and proxies return the next time. Strings and bytes are not copied.
 * @throws ShapeMismatch
 */
export const copyByShape = (shape: AnyShape, value: unknown, undeclared: Undeclared): unknown =>
  readerOf(shape, undeclared)(value)

const readers = { refused: new WeakMap<object, Reader>(), 'left out': new WeakMap<object, Reader>() }

const readerOf = (shape: AnyShape, undeclared: Undeclared): Reader => {
  if (typeof shape === 'string') return plainReaders[shape] ?? string
  const reader = readers[undeclared].get(shape) ?? newReader(shape, undeclared)
  readers[undeclared].set(shape, reader)
  return reader
}

const newReader = (shape: object, undeclared: Undeclared): Reader => {
  if ('opaque' in shape) return string
  if ('$bytes' in shape) return bytes
  if ('$json' in shape) return anyJson
  if ('$oneOf' in shape) return enumOf(shape as OneOfShape)
  if ('$list' in shape) {
    const { $list: item } = shape as ListShape
    if (item === 'number') return undeclared === 'refused' ? sharedNumbers : numbers
    return arrayOf(itemOf(item, undeclared))
  }
  if ('$either' in shape) return eitherOf(shape as EitherShape, undeclared)
  const [first, ...others] = Object.entries(shape as Record<string, AnyShape>)
  if (first?.[0] === '*' && !others.length) return recordOf(readerOf(first[1], undeclared))
  const read = objectOf(shape as Record<string, AnyShape>, undeclared)
  return shape === findingsShape.$list && undeclared === 'left out' ? findingOf(read) : read
}

const enumOf = ({ $oneOf: values }: OneOfShape): Reader => {
  const names = Object.keys(values).map((name) => `"${name}"`)
  return reader(`one of ${names.join(', ')}`, (value) => typeof value === 'string' && Object.hasOwn(values, value))
}

/** An empty item of a request is a mistake, even where each of its fields may be absent. */
const itemOf = (item: AnyShape, undeclared: Undeclared): Reader => {
  const read = readerOf(item, undeclared)
  if (undeclared !== 'refused' || typeof item === 'string') return read
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
 * Reads a string as the leaf, so that the message for an unknown value lists the known ones, and all else as the
 * structure.
 */
const eitherOf = ({ $either: [leaf, structure] }: EitherShape, undeclared: Undeclared): Reader => {
  const [readLeaf, readStructure] = [readerOf(leaf, undeclared), readerOf(structure, undeclared)]
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
  const onUndeclared = undeclared === 'refused' ? (key: string) => refuseUndeclared(key, names) : () => undefined
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) throw expected(what, value)
    const copy = readMembers(value, members, onUndeclared)
    for (const name of required) if (!(name in copy)) refuseMissing(name, members)
    if (undeclared === 'left out' && names.length && isEmpty(copy) && !isEmpty(value))
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
