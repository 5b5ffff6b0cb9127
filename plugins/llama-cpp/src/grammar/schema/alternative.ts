import type { Patterns } from '../patterns/patterns.js'
import type { JsonObject, SchemaDocument, SchemaNode } from './document.js'

const valueTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type ValueType = (typeof valueTypes)[number]
export type Scalar = string | number | boolean | null

/** A keyword and the schema that contains it. */
export interface KeywordLocation {
  readonly keyword: string
  readonly node: SchemaNode
}

/** One way to fit a schema. After references and combinations are resolved, a schema is a list of alternatives. */
export interface Alternative {
  readonly types: ReadonlySet<ValueType>
  /** Schemas whose keywords for single types all apply. */
  readonly nodes: readonly SchemaNode[]
  /** The allowed scalars where they are listed; the nodes may allow fewer of them. */
  readonly values?: readonly Scalar[] | undefined
  /** Keywords that are not enforced, so that the schema allows less than the alternative. */
  readonly unenforced: readonly KeywordLocation[]
}

export const anyValue: Alternative = { types: new Set(valueTypes), nodes: [], unenforced: [] }

/** Whether all values of the types fit. */
export const isUnconstrained = ({ nodes, values, unenforced }: Alternative): boolean =>
  nodes.length + unenforced.length === 0 && !values

/** A key that is the same for equivalent alternatives. */
export const keyOf = ({ types, nodes, values, unenforced }: Alternative): string =>
  [
    [...types].sort().join(),
    nodes.map(({ id }) => id).join(),
    values ? JSON.stringify(values) : '',
    unenforced.map(({ keyword, node }) => `${keyword}${node.id}`).join(),
  ].join('|')

/** The alternative that values of both fit; undefined where there is surely no such value. */
export const intersect = (a: Alternative, b: Alternative): Alternative | undefined => {
  if (a === anyValue || b === anyValue) return a === anyValue ? b : a
  const other = new Set(b.values)
  const values = b.values && a.values ? a.values.filter((value) => other.has(value)) : (a.values ?? b.values)
  const hasType = (type: ValueType) => values?.some((value) => typeOf(value) === type) ?? true
  const types = [...a.types].filter((type) => b.types.has(type) && hasType(type))
  if (types.length === 0) return undefined
  return {
    types: new Set(types),
    nodes: distinct([...a.nodes, ...b.nodes]),
    values: values?.filter((value) => types.includes(typeOf(value))),
    unenforced: distinct([...a.unenforced, ...b.unenforced]),
  }
}

export const typeOf = (value: unknown): ValueType => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as ValueType)
}

export const distinct = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)]

/** Removes duplicates. */
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

/** The alternative of a schema without the schemas that it combines. */
export const ownAlternative = (node: SchemaNode, schema: JsonObject): Alternative => {
  const { type, nullable } = schema
  const names = type === undefined ? undefined : [type, nullable === true ? 'null' : []].flat().map(String)
  const hasAssertions = Object.keys(schema).some((keyword) => assertions.has(keyword)) || isIntegral(schema)
  if (!names) return hasAssertions ? { ...anyValue, nodes: [node] } : anyValue
  const types = valueTypes.filter((each) => names.includes(each) || (each === 'number' && names.includes('integer')))
  return { ...anyValue, types: new Set(types), nodes: hasAssertions ? [node] : [] }
}

/** Whether the numbers among its types are integers. */
export const isIntegral = ({ type }: JsonObject): boolean => {
  const names = [type].flat()
  return names.includes('integer') && !names.includes('number')
}

/** Finds the alternatives of schemas. */
export interface SchemaResolver {
  readonly document: SchemaDocument
  readonly patterns: Patterns
  /** Counts steps of work. */
  spend(steps: number): void
  /**
   * The alternatives of values that fit all of the schemas.
   * @throws invalid_request where a schema refers only to itself
   */
  alternativesOf(nodes: readonly SchemaNode[]): readonly Alternative[]
  /** Undefined while one of the schemas is being resolved itself. */
  ifResolved(nodes: readonly SchemaNode[]): readonly Alternative[] | undefined
}
