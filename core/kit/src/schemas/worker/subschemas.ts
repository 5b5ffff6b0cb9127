/** Walks the schemas inside a schema, which must be valid by its meta-schema. */

import { isList, isRecord } from '../../json/data.js'
import type { Path } from '../../json/data.js'
import type { Flaw } from '../protocol.js'
import { schemaMapKeywords, schemaKeywords } from '../subschemas.js'

type SchemaObject = Record<string, unknown>

/** A schema in a schema. */
export interface Place {
  readonly schema: SchemaObject
  readonly path: Path
}

/** In draft 7, `dependencies` has schemas, too, or lists of names. */
const isSchemaMap = (keyword: string): boolean => schemaMapKeywords.has(keyword) || keyword === 'dependencies'

/** The schemas directly inside a schema. */
export function* childSchemas({ schema, path }: Place): Generator<Place & { readonly keyword: string }> {
  for (const [keyword, value] of Object.entries(schema)) {
    const isOne = schemaKeywords.has(keyword)
    if (isOne && isRecord(value)) yield { schema: value, path: [...path, keyword], keyword }
    const others = (isOne && isList(value)) || (isSchemaMap(keyword) && isRecord(value)) ? Object.entries(value) : []
    for (const [name, inner] of others)
      if (isRecord(inner))
        yield { schema: inner, path: [...path, keyword, isList(value) ? Number(name) : name], keyword }
  }
}

/** Names of the properties that schemas mention. */
export const propertyNames = (places: readonly Place[]): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { schema } of places) {
    const { properties, required } = schema
    if (isRecord(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (isList(required)) for (const name of required) if (typeof name === 'string') names.add(name)
  }
  return names
}

/**
 * Compiling a pattern takes time by the square of its groups: up to a quarter of a second at this length, and only the
 * end of the thread would stop it.
 */
const maxPatternLength = 4000

/** A fault that the meta-schema lets pass and the compiler refuses. */
export const compilerProblem = (places: readonly Place[]): Flaw | undefined => {
  for (const { schema, path } of places) {
    const { enum: values, pattern, patternProperties } = schema
    if (isList(values) && !values.length) return { path: [...path, 'enum'], problem: 'must have at least one value' }
    const keys = isRecord(patternProperties) ? Object.keys(patternProperties) : []
    const found: [string, Path][] = [
      ...(typeof pattern === 'string' ? [[pattern, [...path, 'pattern']] satisfies [string, Path]] : []),
      ...keys.map((key): [string, Path] => [key, [...path, 'patternProperties', key]]),
    ]
    const long = found.find(([text]) => text.length > maxPatternLength)
    if (long)
      return { path: long[1], problem: `is longer than ${maxPatternLength} characters: make the pattern shorter` }
    const wrong = found.find(([text]) => !patternOf(text))
    if (wrong) return { path: wrong[1], problem: 'must be a regular expression of ECMAScript' }
  }
  return undefined
}

/**
 * Changes the schemas in place: removes keywords that the compiler knows and JSON Schema does not. `nullable`, which is
 * OpenAPI's, is read beside `type`.
 */
export const removeForeignKeywords = (places: readonly Place[]): void => {
  for (const { schema } of places) {
    for (const keyword of ['$async', 'id']) Reflect.deleteProperty(schema, keyword)
    if (schema['type'] === undefined || typeof schema['nullable'] !== 'boolean') delete schema['nullable']
  }
}

/**
 * A pattern with the flag `u`, as JSON Schema requires it, or without it where it is valid only then: `\-` is common.
 */
export const patternOf = (text: string): RegExp | undefined => regExp(text, 'u') ?? regExp(text, '')

const regExp = (text: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(text, flags)
  } catch {
    return undefined
  }
}
