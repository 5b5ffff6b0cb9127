import { toUSVString } from 'node:util'
import { failure } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { invalidField } from '../invalid-field.js'
import type { JsonObject } from '../schemas/schema.js'
import { countParts } from './depth.js'
import type { Parts } from './depth.js'
import { locateSyntaxError } from './locate.js'

const maxDepth = 64
/** Ten thousand inputs of a text and a image each have fewer. */
const maxStrings = 65_536

/** Bytes of memory for each string while a body of many is parsed and checked, and for each object, as measured. */
const perString = 512
const perStructure = 128
/** Bytes that the parts of a body may weigh before they count. */
const minWeight = 512 * 1024

const weightOf = ({ strings, structures }: Parts): number =>
  Math.max(0, strings * perString + structures * perStructure - minWeight)

/** What a body may do besides. */
export interface ParseOptions {
  /** Told of the memory that is taken besides that of the bytes. @throws overloaded */
  readonly hold?: (bytes: number) => void
  /** Waits while others have their turn: each step of a large body takes a turn of the event loop. */
  readonly pause?: () => Promise<void>
}

/**
 * Bytes to an object. A byte order mark is skipped; of equal keys the last one counts.
 * @throws invalid_json, invalid_request
 */
export const parseBody = async (
  bytes: Uint8Array,
  { hold = () => undefined, pause = () => Promise.resolve() }: ParseOptions = {},
): Promise<JsonObject> => {
  await pause()
  const text = decode(bytes)
  if (!text.trim()) throw failure('invalid_request', { problem: 'the body is empty: send a JSON object' })
  await pause()
  const parts = countParts(text, maxDepth)
  if (parts.depth > maxDepth)
    throw failure('invalid_request', { problem: `the body nests deeper than ${maxDepth} levels` })
  if (parts.strings > maxStrings)
    throw failure('invalid_request', { problem: `the body has more than ${maxStrings} strings and names of fields` })
  hold(weightOf(parts))
  await pause()
  const parsed = parse(text)
  const value = await sanitize(text, parsed, pause)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failure('invalid_request', { problem: 'the body must be a JSON object' })
  await pause()
  return value as JsonObject
}

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw failure('invalid_json', { problem: 'it is not UTF-8' })
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw failure('invalid_json', { problem: locateSyntaxError(text) })
  }
}

/** What may be wrong in JSON that parses: escapes (half a surrogate pair, a disguised key), endless numbers, prototypes. */
const suspicious = /__proto__|\\u[\da-fA-F]{4}|[eE]\+?\d{3}|(?<!\d)\d{300}/

/**
 * Refuses numbers beyond the range of a double and the key `__proto__`; halves of surrogate pairs become U+FFFD, as
 * they would in UTF-8. The value is changed in place. Only text that could need it is walked.
 * @throws invalid_request
 */
const sanitize = async (text: string, value: unknown, pause: () => Promise<void>): Promise<unknown> =>
  (await isSuspicious(text, pause)) ? clean(value, []) : value

/** UTF-16 units that are searched between two pauses, and of what begins in one slice and ends in the next. */
const [slice, longest] = [2 ** 18, 512]

const isSuspicious = async (text: string, pause: () => Promise<void>): Promise<boolean> => {
  for (let from = 0; from < text.length; from += slice) {
    if (suspicious.test(text.slice(Math.max(0, from - longest), from + slice))) return true
    if (from + slice < text.length) await pause()
  }
  return false
}

const clean = (value: unknown, path: Path): unknown => {
  if (typeof value === 'string') return toUSVString(value)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidField(showPath(path), 'the number is too large')
  if (Array.isArray(value)) return value.map((item, index) => clean(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => cleanEntry(key, inner, path)))
}

const cleanEntry = (key: string, value: unknown, path: Path): [string, unknown] => {
  const place = [...path, key]
  if (key === '__proto__') throw invalidField(showPath(place), 'a field of this name is not allowed')
  return [toUSVString(key), clean(value, place)]
}
