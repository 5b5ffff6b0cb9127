/** Readers of unknown values: each returns the value or a copy, or throws a {@link ShapeMismatch}. */

import { types } from 'node:util'
import { showPath } from '@sallyport/kit/json'

/** The problem of a value, and its path. It quotes names of fields and never their values. */
export class ShapeMismatch extends TypeError {
  override readonly name = 'ShapeMismatch'
  private readonly steps: (string | number)[] = []

  constructor(readonly problem: string) {
    super(problem)
  }

  /** The path, such as `messages[0].content`; empty for the whole value. */
  get path(): string {
    return showPath(this.steps)
  }

  under(step: string | number): this {
    this.steps.unshift(step)
    return this
  }
}

export type Reader = (value: unknown) => unknown

/** Describes the type of a value, without its content. */
const kindOf = (value: unknown): string => {
  if (value === undefined) return 'is missing'
  if (value === null) return 'is null'
  if (Array.isArray(value)) return 'is an array'
  if (typeof value !== 'object') return typeof value === 'string' ? 'is a string' : `is a ${typeof value}`
  return types.isBoxedPrimitive(value) ? 'is a boxed primitive' : 'is an object'
}

export const expected = (what: string, value: unknown) => new ShapeMismatch(`must be ${what}, but ${kindOf(value)}`)

export const reader =
  (what: string, fits: (value: unknown) => boolean): Reader =>
  (value) => {
    if (!fits(value)) throw expected(what, value)
    return value
  }

export const string = reader('a string', (value) => typeof value === 'string')
export const bytes = reader('bytes (a Uint8Array)', types.isUint8Array)
export const plainReaders: Readonly<Record<string, Reader>> = {
  number: reader('a number', (value) => typeof value === 'number'),
  boolean: reader('true or false', (value) => typeof value === 'boolean'),
  floats: reader('a Float32Array', types.isFloat32Array),
}

/** Validates without copying: a request may have a million token ids. */
export const sharedNumbers: Reader = (value) => {
  if (!Array.isArray(value)) throw expected('an array', value)
  const { length } = value
  for (let at = 0; at < length; at += 1)
    if (typeof value[at] !== 'number') throw expected('a number', value[at]).under(at)
  return value as unknown
}

/** A loop of its own: calling a reader for each number would take several times as long. */
export const numbers: Reader = (value) => {
  if (!Array.isArray(value)) throw expected('an array', value)
  const copy: number[] = []
  const { length } = value
  for (let at = 0; at < length; at += 1) {
    const item: unknown = value[at]
    if (typeof item !== 'number') throw expected('a number', item).under(at)
    copy.push(item)
  }
  return copy
}

export const readItems = (items: readonly unknown[], read: Reader): unknown[] => {
  const copy: unknown[] = []
  const { length } = items
  let at = 0
  try {
    for (; at < length; at += 1) copy.push(read(items[at]))
    return copy
  } catch (error) {
    throw withStep(error, at)
  }
}

export const withStep = (error: unknown, step: string | number): unknown =>
  error instanceof ShapeMismatch ? error.under(step) : error

/** Whether the value is an object or an array, but not a boxed primitive or a typed array. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !types.isBoxedPrimitive(value) && !ArrayBuffer.isView(value)

export const readEntries = (value: object, read: Reader): object => {
  let reading = ''
  try {
    const entries = Object.keys(value).map((key) => [(reading = key), read((value as Record<string, unknown>)[key])])
    return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as object
  } catch (error) {
    throw withStep(error, reading)
  }
}

/** Values that are nested deeper than this usually contain themselves. */
const maxDepth = 512

/** Reads plain JSON; members that are undefined are left out. */
export const anyJson: Reader = (value) => readJson(value, maxDepth)

const readJson = (value: unknown, depth: number): unknown => {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth === 0) throw new ShapeMismatch('is nested too deeply, or contains itself')
  const inside: Reader = (inner) => readJson(inner, depth - 1)
  if (Array.isArray(value)) return readItems(value, inside)
  if (!isPlain(value)) throw expected('plain JSON', value)
  return readEntries(value, inside)
}

/** Whether the value is a plain object, even of another realm, as under some test runners. */
const isPlain = (value: unknown): value is object => {
  if (!isObject(value)) return false
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
