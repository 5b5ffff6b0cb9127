/** Makes requests of JSON Schemas. */

import type { Schema } from '../../src/schemas/schema.js'
import { harmless } from './secret.js'
import type { Spelling } from './secret.js'
import { keysOf, recordOf, typesOf } from './leaves.js'
import type { Steps } from './leaves.js'

/** Makes a body that says something at one place. */
export type BodyMaker = (said: (schema: Schema) => unknown) => Record<string, unknown>

/** What the place takes of a spelling. */
export const asTaken =
  ({ text, json }: Spelling) =>
  (schema: Schema): unknown =>
    typesOf(schema).includes('string') ? text : json

/** The smallest value that the schema admits, as a rule. */
export const sample = (schema: Schema): unknown => {
  const [example] = (schema['examples'] ?? schema.enum ?? []) as readonly unknown[]
  if (example !== undefined) return example
  const types = typesOf(schema)
  if (types.includes('string')) return harmless
  if (types.includes('boolean')) return true
  if (types.includes('array')) return [sample(schema.items ?? {})]
  if (types.includes('object')) return company(schema, ({ name }) => schema.required?.includes(name) === true)
  return schema.minimum ?? 1
}

interface Property {
  readonly name: string
  readonly schema: Schema
}

const company = (schema: Schema, wanted: (property: Property) => boolean): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name, inner]) => wanted({ name, schema: inner }))
      .map(([name, inner]) => [name, sample(inner)]),
  )

/** What stands beside the place, in every object on the way to it. */
interface Beside {
  readonly wanted: (property: Property, of: Schema) => boolean
  /** One more, in the object of this depth. */
  readonly more?: { readonly depth: number; readonly name: string; readonly value: unknown }
}

const build = (schema: Schema, path: Steps, said: (schema: Schema) => unknown, beside: Beside, depth = 0): unknown => {
  const [step, ...rest] = path
  if (step === '{}') return { [String(said(keysOf(schema)))]: sample(recordOf(schema) ?? {}) }
  const inner = step === undefined ? undefined : innerOf(schema, step)
  if (step === undefined || !inner) return said(schema)
  const value = build(inner, rest, said, beside, depth + 1)
  if (step === '[]') return [value]
  const { more } = beside
  return {
    ...company(schema, (property) => beside.wanted(property, schema)),
    ...(more?.depth === depth ? { [more.name]: more.value } : {}),
    [step === '*' ? harmless : step]: value,
  }
}

const innerOf = (schema: Schema, step: string): Schema | undefined => {
  if (step === '[]') return schema.items
  return step === '*' ? recordOf(schema) : schema.properties?.[step]
}

const isRequired = ({ name }: Property, of: Schema) => of.required?.includes(name) === true
const isText = ({ schema }: Property) => schema['x-text'] === true && typesOf(schema).includes('string')
const isString = ({ schema }: Property) => typesOf(schema).includes('string') && !schema.enum && !schema['pattern']

const companies: readonly Beside['wanted'][] = [
  isRequired,
  (property, of) => isRequired(property, of) || isText(property),
  (property, of) => isRequired(property, of) || isString(property),
]

/** Decided by the walk. */
const streaming = 'stream'

/** Every value of every member with few values, in the objects on the way. */
function* alternatives(schema: Schema, path: Steps, depth = 0): Generator<NonNullable<Beside['more']>> {
  const [step, ...rest] = path
  for (const [name, { enum: values, type }] of Object.entries(schema.properties ?? {}))
    if (name !== step && name !== streaming)
      for (const value of values ?? (type === 'boolean' ? [true, false] : [])) yield { depth, name, value }
  const inner = step === undefined ? undefined : innerOf(schema, step)
  if (inner) yield* alternatives(inner, rest, depth + 1)
}

/**
 * Bodies that say something at a place of the schema: what must stand beside it (a role, a type) is in no schema, so
 * one of them is found by trying.
 */
export function* bodiesFor(schema: Schema, path: Steps): Generator<BodyMaker> {
  const made =
    (beside: Beside): BodyMaker =>
    (said) =>
      build(schema, path, said, beside) as Record<string, unknown>
  for (const wanted of companies) {
    yield made({ wanted })
    for (const more of alternatives(schema, path)) yield made({ wanted, more })
  }
}

/** The same with everything switched on that can be, or off. */
export const withSwitches =
  (schema: Schema, make: BodyMaker, on: boolean): BodyMaker =>
  (said) => {
    const switches = Object.entries(schema.properties ?? {}).filter(
      ([name, { type }]) => type === 'boolean' && name !== streaming,
    )
    return { ...make(said), ...Object.fromEntries(switches.map(([name]) => [name, on])) }
  }
