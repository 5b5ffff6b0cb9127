/** Where schemas stand in a schema. Expects what the schema of schemas admits. */

import { isList, isRecord } from '../../json/data.js'
import type { Path } from '../../json/data.js'
import type { Flaw } from '../protocol.js'
import { append } from '../../lists/append.js'
import { ofNamed, ofSchemas } from '../subschemas.js'
import { patternOf } from './patterns.js'

type SchemaObject = Record<string, unknown>

/** A schema in a schema. */
export interface Place {
  readonly schema: SchemaObject
  readonly path: Path
}

/** In draft 7, `dependencies` has schemas, too, or lists of names. */
const isOfNamed = (keyword: string): boolean => ofNamed.has(keyword) || keyword === 'dependencies'

/** The schemas right inside one. */
export function* inside({ schema, path }: Place): Generator<Place & { readonly keyword: string }> {
  for (const [keyword, value] of Object.entries(schema)) {
    const isOne = ofSchemas.has(keyword)
    if (isOne && isRecord(value)) yield { schema: value, path: [...path, keyword], keyword }
    const others = (isOne && isList(value)) || (isOfNamed(keyword) && isRecord(value)) ? Object.entries(value) : []
    for (const [name, inner] of others)
      if (isRecord(inner))
        yield { schema: inner, path: [...path, keyword, isList(value) ? Number(name) : name], keyword }
  }
}

/** The schema and all that stand in it. */
function* everySchema(root: unknown): Generator<Place> {
  const open: Place[] = isRecord(root) ? [{ schema: root, path: [] }] : []
  for (let place = open.pop(); place; place = open.pop()) {
    yield place
    append(open, [...inside(place)])
  }
}

/** Names of the properties that it knows. */
export const namesIn = (root: unknown): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { schema } of everySchema(root)) {
    const { properties, required } = schema
    if (isRecord(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (isList(required)) for (const name of required) if (typeof name === 'string') names.add(name)
  }
  return names
}

/** The time to compile a pattern grows with the square of its groups, and cannot be cut short: a quarter of a second. */
const mostPatternCharacters = 4000

/** What the schema of schemas lets pass, and a compiler does not. */
export const compilerProblem = (root: unknown): Flaw | undefined => {
  for (const { schema, path } of everySchema(root)) {
    const { enum: values, pattern, patternProperties } = schema
    if (isList(values) && !values.length) return { path: [...path, 'enum'], problem: 'must have at least one value' }
    const keys = isRecord(patternProperties) ? Object.keys(patternProperties) : []
    const found: [string, Path][] = [
      ...(typeof pattern === 'string' ? [[pattern, [...path, 'pattern']] satisfies [string, Path]] : []),
      ...keys.map((key): [string, Path] => [key, [...path, 'patternProperties', key]]),
    ]
    const long = found.find(([text]) => text.length > mostPatternCharacters)
    if (long)
      return { path: long[1], problem: `is longer than ${mostPatternCharacters} characters: make the pattern shorter` }
    const wrong = found.find(([text]) => !patternOf(text))
    if (wrong) return { path: wrong[1], problem: 'must be a regular expression of ECMAScript' }
  }
  return undefined
}

/**
 * Changes the schema: leaves out what means something to the compiler, but nothing in JSON Schema. `nullable`, which is
 * OpenAPI's, is read beside `type`.
 */
export const withoutForeign = <Schema>(root: Schema): Schema => {
  for (const { schema } of everySchema(root)) {
    for (const keyword of ['$async', 'id']) Reflect.deleteProperty(schema, keyword)
    if (schema['type'] === undefined || typeof schema['nullable'] !== 'boolean') delete schema['nullable']
  }
  return root
}
