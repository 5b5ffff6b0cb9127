/** From the texts of a form to the values that its schema describes. */

import { failure } from '@sallyport/core'
import type { JsonObject } from '../body/parse.js'
import type { Schema } from '../body/schema.js'
import type { ReceivedForm } from './receive.js'

const yes = /^(?:true|1|yes|on)$/i
const no = /^(?:false|0|no|off)$/i

/** @returns undefined for what means neither */
export const booleanOf = (text: string): boolean | undefined =>
  yes.test(text) ? true : no.test(text) ? false : undefined

/**
 * Fields are named with or without `[]`; empty ones are absent. What is not readable as what the schema wants stays a
 * text, which the schema refuses.
 * @param aliases other spellings of names
 * @throws invalid_request for a field that is given twice, but not in a list
 */
export const bodyOf = (
  { fields }: ReceivedForm,
  { properties = {} }: Schema,
  aliases: Readonly<Record<string, string>> = {},
): JsonObject => {
  const given = new Map<string, string[]>()
  for (const [written, texts] of fields) {
    const bare = written.replace(/\[\]$/, '')
    const name = aliases[bare] ?? bare
    const present = texts.map((text) => (text.trim() === '' ? '' : text)).filter(Boolean)
    given.set(name, [...(given.get(name) ?? []), ...present])
  }
  const entries = [...given].filter(([, texts]) => texts.length > 0)
  return Object.fromEntries(
    entries.map(([name, texts]) => [
      name,
      valueOf(name, texts, Object.hasOwn(properties, name) ? properties[name] : undefined),
    ]),
  )
}

const valueOf = (name: string, texts: readonly string[], schema: Schema | undefined): unknown => {
  if (schema?.type === 'array') return texts.flatMap((text) => listOf(text)).map((text) => scalarOf(text, schema.items))
  const [text = '', ...others] = texts
  if (others.length && others.some((other) => other !== text))
    throw failure('invalid_request', { field: name, problem: 'is given several times' })
  return scalarOf(text, schema)
}

/** A JSON array, or what stands between commas. */
export const listOf = (text: string): string[] => {
  const inner = /^\s*\[([^]*)\]\s*$/.exec(text)?.[1] ?? text
  return inner
    .split(',')
    .map((item) => item.trim().replace(/^(["'])([^]*)\1$/, '$2'))
    .filter(Boolean)
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const scalarOf = (text: string, schema: Schema | undefined): unknown => {
  switch (schema?.type) {
    case 'boolean':
      return booleanOf(text.trim()) ?? text
    case 'integer':
    case 'number':
      return number.test(text.trim()) ? Number(text) : text
    default:
      return text
  }
}
