import { failure } from '@sallyport/core'
import { countParts, nestsDeeper } from './depth.js'
import type { Parts } from './depth.js'
import { locateSyntaxError } from './locate.js'
import { sanitize } from './sanitize.js'

const deepest = 64
/** Ten thousand inputs of a text and a picture each have fewer. */
const mostStrings = 65_536

/** A body as parsed, before its fields are checked. */
export type JsonObject = Record<string, unknown>

/** Bytes of memory for each string while a body of many is parsed and checked, and for each object, as measured. */
const perString = 512
const perStructure = 128
/** Bytes that the parts of a body may weigh before they count. */
const lightest = 512 * 1024

const weightOf = ({ strings, structures }: Parts): number =>
  Math.max(0, strings * perString + structures * perStructure - lightest)

/**
 * Bytes to an object. A byte order mark is skipped; of equal keys the last one counts.
 * @param hold told of the memory that is taken besides that of the bytes @throws overloaded
 * @throws invalid_json, invalid_request
 */
export const parseBody = (bytes: Uint8Array, hold: (bytes: number) => void = () => undefined): JsonObject => {
  const text = decode(bytes)
  if (!text.trim()) throw failure('invalid_request', { problem: 'the body is empty: send a JSON object' })
  if (nestsDeeper(text, deepest))
    throw failure('invalid_request', { problem: `the body nests deeper than ${deepest} levels` })
  const parts = countParts(text)
  if (parts.strings > mostStrings)
    throw failure('invalid_request', { problem: `the body has more than ${mostStrings} strings and names of fields` })
  hold(weightOf(parts))
  const value = sanitize(text, parse(text))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failure('invalid_request', { problem: 'the body must be a JSON object' })
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
