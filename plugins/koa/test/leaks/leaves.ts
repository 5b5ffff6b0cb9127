/** The strings of a JSON Schema, and where those of an answer stand in it. */

import { isRecord } from '@sallyport/kit/json'
import type { Schema } from '../../src/schemas/schema.js'

/** `name` is a property, `[]` an item of a list, `{}` a key of a record and `*` the value behind it. */
export type Steps = readonly string[]

export interface SchemaLeaf {
  readonly path: Steps
  /** Undefined where the schema says neither, both, or nothing of use. */
  readonly declared: 'text' | 'opaque' | undefined
}

export const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat()

/** Records have members of any name; of objects, members that have no schema are neither read nor written. */
export const recordOf = ({ additionalProperties: values }: Schema): Schema | undefined =>
  typeof values === 'object' ? values : undefined

/** Whether the schema by itself admits a string, or a value with strings of which it says nothing. */
const isFree = (schema: Schema): boolean => {
  if (schema.enum) return false
  const types = typesOf(schema)
  if (!types.length || types.includes('string')) return true
  if (types.includes('array') && !schema.items) return true
  return types.includes('object') && !schema.properties && !recordOf(schema)
}

const declarationOf = ({ 'x-text': isText, 'x-opaque': reason }: Schema): SchemaLeaf['declared'] => {
  if (isText && reason !== undefined) return undefined
  if (isText) return 'text'
  return reason?.trim() ? 'opaque' : undefined
}

export const leavesOf = (schema: Schema, path: Steps = []): SchemaLeaf[] => {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
  const items = schema.items ? leavesOf(schema.items, [...path, '[]']) : []
  const values = recordOf(schema)
  const members = values ? [...leavesOf(keysOf(schema), [...path, '{}']), ...leavesOf(values, [...path, '*'])] : []
  const own = isFree(schema) ? [{ path, declared: declarationOf(schema) }] : []
  return [...own, ...inside, ...items, ...members]
}

export const keysOf = ({ propertyNames }: Schema): Schema => ({
  type: 'string',
  ...(propertyNames as Schema | undefined),
})

/** A string of an answer. */
export interface Said {
  readonly path: Steps
  readonly declared: SchemaLeaf['declared']
  /** With the numbers that tell choices and calls apart: what is streamed is one text where this is the same. */
  readonly key: string
  readonly text: string
}

/** Every string of a value, keys of records included. One that the schema does not know is not declared. */
export const stringsOf = (schema: Schema | undefined, value: unknown, path: Steps = [], numbers = ''): Said[] => {
  const declared = schema && declarationOf(schema)
  if (typeof value === 'string')
    return schema?.enum?.includes(value) ? [] : [{ path, declared, key: keyOf(path, numbers), text: value }]
  if (typeof value !== 'object' || value === null || (declared === 'opaque' && schema && isFree(schema))) return []
  if (declared === 'text' && schema && isFree(schema))
    return allStrings(value).map((text) => ({ path, declared, key: keyOf(path, numbers), text }))
  if (Array.isArray(value)) return value.flatMap((item) => stringsOf(schema?.items, item, [...path, '[]'], numbers))
  const { index } = value as { index?: unknown }
  const here = typeof index === 'number' ? `${numbers},${index}` : numbers
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = schema?.properties?.[name]
    if (property) return stringsOf(property, inner, [...path, name], here)
    const values = schema && recordOf(schema)
    if (!values) return [{ path: [...path, name], declared: undefined, key: '', text: name }]
    return [
      ...stringsOf(keysOf(schema), name, [...path, '{}'], here),
      ...stringsOf(values, inner, [...path, '*'], here),
    ]
  })
}

const keyOf = (path: Steps, numbers: string): string => `${showSteps(path)} ${numbers}`

/** `choices[].message.content` */
export const showSteps = (path: Steps): string => path.join('.').replace(/\.\[\]/g, '[]')

/** Every string of a value, keys and numbers included, one after the other. */
export const allStrings = (value: unknown): string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(allStrings)
  if (!isRecord(value) || ArrayBuffer.isView(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...allStrings(inner)])
}
