import type { Patterns } from '../patterns/patterns.js'
import type { JsonObject, SchemaDocument, SchemaNode } from './document.js'

export type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'
export type Scalar = string | number | boolean | null

/** A keyword, and the schema in which it is written. */
export interface Origin {
  readonly keyword: string
  readonly node: SchemaNode
}

/** One way to fit a schema. The references and combinations of schemas are resolved: a schema is a list of these. */
export interface Alternative {
  readonly types: ReadonlySet<ValueType>
  /** Schemas whose keywords about single types all hold. */
  readonly nodes: readonly SchemaNode[]
  /** The only scalars, where they are listed; the nodes may allow fewer of them. */
  readonly values?: readonly Scalar[] | undefined
  /** Properties that must not be there. */
  readonly forbidden: readonly string[]
  /** Keywords that are left out, so that the schema allows less than the alternative says. */
  readonly unheld: readonly Origin[]
}

export const allTypes: ReadonlySet<ValueType> = new Set([
  'null',
  'boolean',
  'number',
  'string',
  'array',
  'object',
] as const)

export const anyValue: Alternative = { types: allTypes, nodes: [], forbidden: [], unheld: [] }

/** Whether all values of its types fit. */
export const isFree = ({ nodes, values, forbidden, unheld }: Alternative): boolean =>
  nodes.length + forbidden.length + unheld.length === 0 && !values

/** Equal for alternatives that say the same. */
export const keyOf = ({ types, nodes, values, forbidden, unheld }: Alternative): string =>
  [
    [...types].sort().join(),
    nodes.map(({ id }) => id).join(),
    values ? JSON.stringify(values) : '',
    forbidden.length ? JSON.stringify(forbidden) : '',
    unheld.map(({ keyword, node }) => `${keyword}${node.id}`).join(),
  ].join('|')

/** What fits both; undefined where that is surely nothing. */
export const intersect = (a: Alternative, b: Alternative): Alternative | undefined => {
  if (a === anyValue || b === anyValue) return a === anyValue ? b : a
  const other = new Set(b.values)
  const values = b.values && a.values ? a.values.filter((value) => other.has(value)) : (a.values ?? b.values)
  const types = [...a.types].filter((type) => b.types.has(type) && holdsType(values, type))
  if (types.length === 0) return undefined
  return {
    types: new Set(types),
    nodes: distinct([...a.nodes, ...b.nodes]),
    values: values?.filter((value) => types.includes(typeOf(value))),
    forbidden: distinct([...a.forbidden, ...b.forbidden]),
    unheld: distinct([...a.unheld, ...b.unheld]),
  }
}

export const typeOf = (value: unknown): ValueType => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as ValueType)
}

const holdsType = (values: readonly Scalar[] | undefined, type: ValueType): boolean =>
  values?.some((value) => typeOf(value) === type) ?? true

export const distinct = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)]

/** Alternatives without those that say the same as others. */
export const simplify = (alternatives: readonly Alternative[]): readonly Alternative[] =>
  alternatives.length < 2
    ? alternatives
    : [...new Map(alternatives.map((alternative) => [keyOf(alternative), alternative])).values()]

/** Keywords about values of one type. `type`, `enum` and `const` are part of the alternatives themselves. */
const assertions: ReadonlySet<string> = new Set(
  (
    'format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains ' +
    'properties patternProperties additionalProperties unevaluatedProperties propertyNames required ' +
    'minProperties maxProperties dependentRequired dependentSchemas dependencies'
  ).split(' '),
)

/** What the schema says without the schemas that it combines. */
export const ownAlternative = (node: SchemaNode, schema: JsonObject): Alternative => {
  const { type, nullable } = schema
  const names = type === undefined ? undefined : [type, nullable === true ? 'null' : []].flat().map(String)
  const saysMore = Object.keys(schema).some((keyword) => assertions.has(keyword)) || isIntegral(schema)
  if (!names) return saysMore ? { ...anyValue, nodes: [node] } : anyValue
  const types = [...allTypes].filter((each) => names.includes(each) || (each === 'number' && names.includes('integer')))
  return { ...anyValue, types: new Set(types), nodes: saysMore ? [node] : [] }
}

/** Whether the numbers among its types are integers. */
export const isIntegral = ({ type }: JsonObject): boolean => {
  const names = [type].flat()
  return names.includes('integer') && !names.includes('number')
}

/** What tells the alternatives of schemas. */
export interface SchemaResolver {
  readonly document: SchemaDocument
  readonly patterns: Patterns
  /** Counts steps of work. */
  spend(steps: number): void
  /** What fits all of the schemas. @throws invalid_request where a schema leads only to itself */
  of(nodes: readonly SchemaNode[]): readonly Alternative[]
  /** Undefined while one of the schemas is being resolved itself. */
  ifResolved(nodes: readonly SchemaNode[]): readonly Alternative[] | undefined
}
