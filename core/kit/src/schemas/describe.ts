/** Says in words what a JSON Schema allows, and what was given instead. */

import { isList, isRecord } from '../json/data.js'
import type { JsonSchema } from './json-schema.js'

const longestShown = 60

/** As JSON; what JSON does not have (`.nan`), as text. */
const quote = (value: unknown): string => {
  const shown = Number.isFinite(value) || typeof value !== 'number' ? JSON.stringify(value) : `${value}`
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown
}

/** What values are called, in the language of whoever reads. */
export interface Nouns {
  readonly integer: string
  readonly text: string
  readonly list: string
  readonly map: string
}

const yamlNouns: Nouns = { integer: 'a whole number', text: 'a text', list: 'a list', map: 'a map (key: value)' }

/**
 * `a whole number from 0 to 65535`, `"info" or "warn"`. The keyword `x-allowed` says it where the others would say it
 * badly.
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
  if (type === 'array') return `${nouns.list}${size(schema.minItems, schema.maxItems, 'items')}`
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
    : `${noun}${size(minLength, maxLength, 'characters')}`
}

const size = (least: unknown, most: unknown, unit: string): string => {
  if (typeof least === 'number' && typeof most === 'number') return ` of ${least} to ${most} ${unit}`
  if (typeof least === 'number' && least > 0) return ` of at least ${least} ${unit}`
  return typeof most === 'number' ? ` of at most ${most} ${unit}` : ''
}

/** `is the text "abc"`. A secret (`writeOnly`) is not shown. */
export const describeGiven = (value: unknown, schema: JsonSchema): string => {
  if (value === null || value === undefined) return 'is empty'
  if (isList(value)) return value.length ? `is a list of ${value.length}` : 'is an empty list'
  if (typeof value === 'object') return 'is a map'
  if (typeof value === 'function') return 'is a function'
  if (schema.writeOnly === true) return `is another ${typeof value === 'string' ? 'text' : 'value'} (not shown)`
  if (typeof value !== 'string') return `is ${quote(value)}${schema.type === 'string' ? ' (write it in quotes)' : ''}`
  return `is the text ${quote(value)}${unquoted(value, schema)}`
}

/** A number in quotes is a text: the commonest reason for this mistake. */
const unquoted = (value: string, { type }: JsonSchema): string => {
  const number = (type === 'number' || type === 'integer') && value.trim() !== '' && Number.isFinite(Number(value))
  const truth = type === 'boolean' && (value === 'true' || value === 'false')
  return number || truth ? ' (write it without quotes)' : ''
}
