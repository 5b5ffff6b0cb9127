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
  if (nestsDeeper(text, deepest))
    throw failure('invalid_request', { problem: `the body nests deeper than ${deepest} levels` })
  const parts = countParts(text)
  if (parts.strings > mostStrings)
    throw failure('invalid_request', { problem: `the body has more than ${mostStrings} strings and names of fields` })
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
