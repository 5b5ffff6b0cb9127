import { toUSVString } from 'node:util'
import { failure } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { invalidField } from '../invalid-field.js'
import type { JsonObject } from '../schemas/schema.js'
import { countJson } from './count-json.js'
import type { JsonCounts } from './count-json.js'
import { locateSyntaxError } from './locate.js'

const maxDepth = 64
/** Ten thousand inputs of a text and an image each have fewer. */
const maxStrings = 65_536

/** Bytes of memory that a string, and an object or list, take while a body is parsed and checked, as measured. */
const bytesPerString = 512
const bytesPerStructure = 128
/** Bytes that are free before memory is reserved for parsed values. */
const freeBytes = 512 * 1024

const parsedBytes = ({ strings, structures }: JsonCounts): number =>
  Math.max(0, strings * bytesPerString + structures * bytesPerStructure - freeBytes)

/** How a body is parsed beside other requests. */
export interface ParseOptions {
  /** Reserves memory for the parsed values, besides that of the bytes. @throws overloaded */
  readonly reserve?: (bytes: number) => void
  /** Waits while others have their turn: each step of a large body takes a turn of the event loop. */
  readonly pause?: () => Promise<void>
}

/**
 * Parses bytes to an object. A byte order mark is skipped; of duplicate keys the last one counts.
 * @throws invalid_json, invalid_request
 */
export const parseBody = async (
  bytes: Uint8Array,
  { reserve = () => undefined, pause = () => Promise.resolve() }: ParseOptions = {},
): Promise<JsonObject> => {
  await pause()
  const text = decode(bytes)
  if (!text.trim()) throw failure('invalid_request', { problem: 'the body is empty: send a JSON object' })
  await pause()
  const counts = countJson(text, maxDepth)
  if (counts.depth > maxDepth)
    throw failure('invalid_request', { problem: `the body nests deeper than ${maxDepth} levels` })
  if (counts.strings > maxStrings)
    throw failure('invalid_request', { problem: `the body has more than ${maxStrings} strings and names of fields` })
  reserve(parsedBytes(counts))
  await pause()
  const parsed = parse(text)
  const value = (await isSuspicious(text, pause)) ? clean(parsed, []) : parsed
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

/** Matches what may be wrong in JSON that parses: `__proto__`, any escape of a UTF-16 code unit, huge numbers. */
const suspicious = /__proto__|\\u[\da-fA-F]{4}|[eE]\+?\d{3}|(?<!\d)\d{300}/

/** UTF-16 code units that are searched between two pauses, and the overlap for matches that cross two slices. */
const [sliceLength, sliceOverlap] = [2 ** 18, 512]

const isSuspicious = async (text: string, pause: () => Promise<void>): Promise<boolean> => {
  for (let from = 0; from < text.length; from += sliceLength) {
    if (suspicious.test(text.slice(Math.max(0, from - sliceOverlap), from + sliceLength))) return true
    if (from + sliceLength < text.length) await pause()
  }
  return false
}

/**
 * Returns the value with U+FFFD for halves of surrogate pairs, as they would be in UTF-8.
 * @throws invalid_request for a number beyond the range of a double, and for the key `__proto__`
 */
const clean = (value: unknown, path: Path): unknown => {
  if (typeof value === 'string') return toUSVString(value)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidField(showPath(path), 'the number is too large')
  if (Array.isArray(value)) return value.map((item, index) => clean(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const entryPath = [...path, key]
      if (key === '__proto__') throw invalidField(showPath(entryPath), 'a field of this name is not allowed')
      return [toUSVString(key), clean(inner, entryPath)]
    }),
  )
}
