import { failure } from '@sallyport/core'
import { hasMoreStrings, nestsDeeper } from './depth.js'
import { locateSyntaxError } from './locate.js'
import { sanitize } from './sanitize.js'

const deepest = 64
/** Ten thousand inputs of a text and a picture each have fewer. */
const mostStrings = 65_536

/** A body as parsed, before its fields are checked. */
export type JsonObject = Record<string, unknown>

/** Bytes to an object. A byte order mark is skipped; of equal keys the last one counts. @throws invalid_json, invalid_request */
export const parseBody = (bytes: Uint8Array): JsonObject => {
  const text = decode(bytes)
  if (!text.trim()) throw failure('invalid_request', { problem: 'the body is empty: send a JSON object' })
  if (nestsDeeper(text, deepest))
    throw failure('invalid_request', { problem: `the body nests deeper than ${deepest} levels` })
  if (hasMoreStrings(text, mostStrings))
    throw failure('invalid_request', { problem: `the body has more than ${mostStrings} strings and names of fields` })
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
