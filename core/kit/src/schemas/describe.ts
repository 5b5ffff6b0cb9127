/** Describes in words what a JSON Schema allows, and which value is there instead. */

import { inspect } from 'node:util'
import { isList, isRecord } from '../json/data.js'
import type { JsonSchema } from './json-schema.js'

const maxShownLength = 60

/** The value as JSON, or as text where JSON does not have it (`.nan` and, from code, `5n`). */
const quote = (value: unknown): string => {
  const isInJson = typeof value === 'number' ? Number.isFinite(value) : !['bigint', 'symbol'].includes(typeof value)
  const shown = isInJson ? JSON.stringify(value) : inspect(value)
  return shown.length > maxShownLength ? `${shown.slice(0, maxShownLength)}…` : shown
}

/** What kinds of values are called in a message: its readers may think in YAML or in JSON. */
export interface Nouns {
  readonly integer: string
  readonly text: string
  readonly list: string
  readonly map: string
}

const yamlNouns: Nouns = { integer: 'a whole number', text: 'a text', list: 'a list', map: 'a map (key: value)' }

/**
 * `a whole number from 0 to 65535`, `"info" or "warn"`. The keyword `x-allowed` replaces a description that would be
 * hard to read.
 */
export const describeAllowed = (schema: JsonSchema, nouns: Nouns = yamlNouns): string => {
  const { short, ...long } = schema
  if (typeof schema['x-allowed'] === 'string') return schema['x-allowed']
  if (isRecord(short)) return alternatives([describeAllowed(short, nouns), describeAllowed(long, nouns)])
  if ('const' in schema) return quote(schema.const)
  if (isList(schema.enum)) return alternatives(schema.enum.map(quote))
  const unions = [schema.anyOf, schema.oneOf].filter(isList)[0]
  if (unions) return alternatives(unions.filter(isRecord).map((each) => describeAllowed(each, nouns)))
  const types = isList(schema.type) ? schema.type : [schema.type]
  return alternatives(types.map((type) => describeType(type, schema, nouns)))
}

const alternatives = (texts: readonly string[]): string => {
  const different = [...new Set(texts)]
  const last = different.pop() ?? 'something else'
  return different.length ? `${different.join(', ')} or ${last}` : last
}

const describeType = (type: unknown, schema: JsonSchema, nouns: Nouns): string => {
  if (type === 'integer') return `${nouns.integer}${range(schema)}`
  if (type === 'number') return `a number${range(schema)}`
  if (type === 'string') return describeText(schema, nouns.text)
  if (type === 'boolean') return 'true or false'
  if (type === 'null') return 'empty'
  if (type === 'array') return `${nouns.list}${sizeRange(schema.minItems, schema.maxItems, 'items')}`
  if (typeof schema.is === 'string') return schema.is === 'capability' ? 'a capability of the core' : `a ${schema.is}`
  return nouns.map
}

const range = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonSchema): string => {
  const low = bound(minimum, 'from') || bound(exclusiveMinimum, 'above')
  const high = bound(maximum, low.startsWith(' from') ? 'to' : 'up to') || bound(exclusiveMaximum, 'below')
  const only = maximum === undefined && low.startsWith(' from') ? ' upwards' : ''
  return low + (high || only) + (typeof multipleOf === 'number' ? `, a multiple of ${multipleOf}` : '')
}

const bound = (limit: unknown, word: string) => (typeof limit === 'number' ? ` ${word} ${limit}` : '')

const describeText = ({ minLength, maxLength, pattern, format, title }: JsonSchema, noun: string): string => {
  if (typeof pattern === 'string' && typeof title === 'string') return title
  if (typeof format === 'string') return `${noun} of the form "${format}"`
  if (typeof pattern === 'string') return `${noun} that matches ${pattern}`
  return minLength === 1 && maxLength === undefined
    ? `${noun} that is not empty`
    : `${noun}${sizeRange(minLength, maxLength, 'characters')}`
}

const sizeRange = (min: unknown, max: unknown, unit: string): string => {
  if (typeof min === 'number' && typeof max === 'number') return ` of ${min} to ${max} ${unit}`
  if (typeof min === 'number' && min > 0) return ` of at least ${min} ${unit}`
  return typeof max === 'number' ? ` of at most ${max} ${unit}` : ''
}

/** `is the text "abc"`. A secret (`writeOnly`) is not shown. */
export const describeActual = (value: unknown, schema: JsonSchema): string => {
  if (value === null || value === undefined) return 'is empty'
  if (isList(value)) return value.length ? `is a list of ${value.length}` : 'is an empty list'
  if (typeof value === 'object') return 'is a map'
  if (typeof value === 'function') return 'is a function'
  if (schema.writeOnly === true) return `is another ${typeof value === 'string' ? 'text' : 'value'} (not shown)`
  if (typeof value !== 'string') return `is ${quote(value)}${schema.type === 'string' ? ' (write it in quotes)' : ''}`
  return `is the text ${quote(value)}${quoteHint(value, schema)}`
}

/** The usual reason for this mistake is a number in quotes, which makes it a text. */
const quoteHint = (value: string, { type }: JsonSchema): string => {
  const isNumber = (type === 'number' || type === 'integer') && value.trim() !== '' && Number.isFinite(Number(value))
  const isBoolean = type === 'boolean' && (value === 'true' || value === 'false')
  return isNumber || isBoolean ? ' (write it without quotes)' : ''
}
