/** What a schema says by itself of each type, without the schemas that it combines. */

import { append } from '@sallyport/core/lists'
import { formatPatterns, numberFormats, otherFormats } from '../formats.js'
import type { SchemaDocument } from './document.js'
import type { SchemaNode } from './node.js'
import { invalid } from './check.js'
import { pathOf } from './node.js'
import { isObject, typeNames } from './keywords.js'
import type { JsonObject, TypeName } from './keywords.js'
import type { Patterns } from './patterns.js'
import { noCount, unbounded } from './variant.js'
import type {
  ArrayVariant,
  Bound,
  NumberVariant,
  ObjectLayer,
  ObjectVariant,
  Origin,
  Pattern,
  StringVariant,
  Variant,
} from './variant.js'

const booleans: readonly Variant[] = [
  { type: 'boolean', value: true, unheld: [] },
  { type: 'boolean', value: false, unheld: [] },
]

export const ownVariants = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  patterns: Patterns,
): Variant[] => {
  const types = typesOf(schema)
  const variants: Variant[] = []
  if (types.has('null')) variants.push({ type: 'null', unheld: [] })
  if (types.has('boolean')) append(variants, booleans)
  if (types.has('number') || types.has('integer')) variants.push(numbersOf(node, schema, !types.has('number')))
  if (types.has('string')) variants.push(stringsOf(node, schema, document, patterns))
  if (types.has('array')) variants.push(arraysOf(node, schema, document))
  if (types.has('object')) variants.push(objectsOf(node, schema, document, patterns))
  return variants.filter(isPossible)
}

const isPossible = (variant: Variant): boolean => {
  switch (variant.type) {
    case 'null':
    case 'boolean':
      return true
    case 'number':
      return variant.least.value <= variant.most.value
    case 'string':
      return variant.minLength <= variant.maxLength
    case 'array':
      return variant.least <= variant.most
    case 'object':
      return variant.least.value <= variant.most.value
  }
}

const typesOf = ({ type, nullable }: JsonObject): ReadonlySet<TypeName> => {
  if (type === undefined) return new Set(typeNames)
  const types = (Array.isArray(type) ? type : [type]) as TypeName[]
  return new Set(nullable === true ? [...types, 'null'] : types)
}

/** Doubles keep decimals of so many digits apart. */
const largest = 1e15

/** An automaton has a state for each remainder. */
const largestMultiple = 256

const numbersOf = (node: SchemaNode, schema: JsonObject, onlyIntegers: boolean): NumberVariant => {
  const { format, multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const bounds = typeof format === 'string' ? numberFormats.get(format) : undefined
  const lower: Bound[] = [
    ...(bounds ? [{ value: bounds[0], exclusive: false }] : []),
    ...boundOf(minimum, false),
    ...boundOf(exclusiveMinimum, true),
  ]
  const upper: Bound[] = [
    ...(bounds ? [{ value: bounds[1], exclusive: false }] : []),
    ...boundOf(maximum, false),
    ...boundOf(exclusiveMaximum, true),
  ]
  const unheld = Object.entries({ minimum, maximum, exclusiveMinimum, exclusiveMaximum })
    .filter(([keyword, value]) => typeof value === 'number' && !isHoldable(value, keyword.endsWith('aximum')))
    .map(([keyword]) => ({ keyword, node }))
  const multiple = typeof multipleOf === 'number' ? multipleOf : 1
  const heldMultiple = Number.isInteger(multiple) && multiple <= largestMultiple
  return {
    type: 'number',
    integer: onlyIntegers || bounds !== undefined || (heldMultiple && multipleOf !== undefined),
    least: lower.filter(({ value }) => isHoldable(value, false)).reduce(tightest(1), unbounded.least),
    most: upper.filter(({ value }) => isHoldable(value, true)).reduce(tightest(-1), unbounded.most),
    multiples: heldMultiple && multiple > 1 ? [{ value: multiple, origin: { keyword: 'multipleOf', node } }] : [],
    unheld: heldMultiple ? unheld : [...unheld, { keyword: 'multipleOf', node }],
  }
}

const boundOf = (value: unknown, exclusive: boolean): Bound[] =>
  typeof value === 'number' ? [{ value, exclusive }] : []

const tightest =
  (sign: 1 | -1) =>
  (a: Bound, b: Bound): Bound =>
    sign * b.value > sign * a.value || (a.value === b.value && b.exclusive) ? b : a

/** A short decimal, or so far out that numbers of 15 digits satisfy it. */
const isHoldable = (value: number, isUpper: boolean): boolean =>
  isUpper && value >= largest ? true : !isUpper && value <= -largest ? true : isShortDecimal(value)

const isShortDecimal = (value: number): boolean => {
  const digits = String(Math.abs(value))
  return /^\d+(\.\d+)?$/.test(digits) && digits.replace('.', '').length <= 15
}

const stringsOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  patterns: Patterns,
): StringVariant => {
  const { pattern, format, minLength, maxLength } = schema
  const held: Pattern[] = []
  const unheld: Origin[] = []
  const add = (keyword: string, source: string | undefined): void => {
    if (source !== undefined && patterns.automaton(source)) held.push({ source, origin: { keyword, node } })
    else unheld.push({ keyword, node })
  }
  if (typeof pattern === 'string') {
    checkPattern(pattern, node, document)
    add('pattern', pattern)
  }
  if (typeof format === 'string' && (formatPatterns.has(format) || otherFormats.has(format)))
    add('format', formatPatterns.get(format))
  return {
    type: 'string',
    minLength: typeof minLength === 'number' ? minLength : 0,
    maxLength: typeof maxLength === 'number' ? maxLength : Infinity,
    patterns: held,
    unheld,
  }
}

/** @throws invalid_request where it is no regular expression */
const checkPattern = (pattern: string, node: SchemaNode, document: SchemaDocument): void => {
  try {
    new RegExp(pattern)
  } catch {
    throw invalid(document.field, pathOf(node), 'a pattern is no regular expression of ECMA-262: correct it')
  }
}

const arraysOf = (node: SchemaNode, schema: JsonObject, document: SchemaDocument): ArrayVariant => {
  const { minItems, maxItems, uniqueItems, contains, minContains } = schema
  const most = typeof maxItems === 'number' ? maxItems : Infinity
  const { prefix, rest } = itemsOf(node, schema, document)
  const bare = prefix.length === 0 && rest.schema === true
  return {
    type: 'array',
    layers: bare ? [] : [{ id: String(node.id), prefix, rest }],
    least: typeof minItems === 'number' ? minItems : 0,
    most,
    unheld: [
      ...(uniqueItems === true && most > 1 ? [{ keyword: 'uniqueItems', node }] : []),
      ...(contains !== undefined && !(minContains === 0 && schema['maxContains'] === undefined)
        ? [{ keyword: 'contains', node }]
        : []),
      ...unevaluated(node, schema, 'unevaluatedItems', 'items'),
    ],
  }
}

const itemsOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
): { prefix: readonly SchemaNode[]; rest: SchemaNode } => {
  const list = Array.isArray(schema['items']) ? 'items' : 'prefixItems'
  const after = list === 'items' ? 'additionalItems' : 'items'
  const prefix = Array.isArray(schema[list]) ? schema[list].map((_, index) => document.child(node, list, index)) : []
  const closing =
    after in schema ? after : isAlone(schema) && 'unevaluatedItems' in schema ? 'unevaluatedItems' : undefined
  return { prefix, rest: closing ? document.child(node, closing) : document.anything }
}

const objectsOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  patterns: Patterns,
): ObjectVariant => {
  const {
    required,
    minProperties,
    maxProperties,
    patternProperties = {},
    dependentRequired,
    dependentSchemas,
    dependencies,
  } = schema
  const sources = Object.keys(patternProperties as JsonObject)
  sources.forEach((source) => checkPattern(source, node, document))
  const held = sources.every((source) => patterns.automaton(source) !== undefined)
  const layer = layerOf(node, schema, document, held ? sources : [])
  const isNeeded = layer.properties.size > 0 || layer.patterns.length > 0 || layer.additional.schema !== true
  return {
    type: 'object',
    layers: isNeeded ? [layer] : [],
    required: new Set(Array.isArray(required) ? (required as string[]) : []),
    names: schema['propertyNames'] === undefined ? [] : [document.child(node, 'propertyNames')],
    least:
      typeof minProperties === 'number' && minProperties > 0
        ? { value: minProperties, origin: { keyword: 'minProperties', node } }
        : noCount.least,
    most:
      typeof maxProperties === 'number'
        ? { value: maxProperties, origin: { keyword: 'maxProperties', node } }
        : noCount.most,
    unheld: [
      ...(held ? [] : [{ keyword: 'patternProperties', node }]),
      ...Object.entries({ dependentRequired, dependentSchemas, dependencies })
        .filter(([, value]) => isObject(value) && Object.keys(value).length > 0)
        .map(([keyword]) => ({ keyword, node })),
      ...unevaluated(node, schema, 'unevaluatedProperties', 'additionalProperties'),
    ],
  }
}

const layerOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  sources: readonly string[],
): ObjectLayer => {
  const names = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const closing = ['additionalProperties', ...(isAlone(schema) ? ['unevaluatedProperties'] : [])].find(
    (name) => name in schema,
  )
  return {
    id: String(node.id),
    properties: new Map(names.map((name) => [name, document.child(node, 'properties', name)])),
    patterns: sources.map((source) => ({ source, value: document.child(node, 'patternProperties', source) })),
    additional: closing === undefined ? document.anything : document.child(node, closing),
  }
}

/** Keywords whose schemas may evaluate properties and items of the same value. */
const applicators = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'contains',
  'dependencies',
  'dependentSchemas',
  'if',
  'not',
  'oneOf',
]

const isAlone = (schema: JsonObject): boolean => !applicators.some((keyword) => keyword in schema)

/** Held where it means the same as its neighbour, or nothing because of it. */
const unevaluated = (node: SchemaNode, schema: JsonObject, keyword: string, neighbour: string): Origin[] =>
  schema[keyword] === undefined || schema[keyword] === true || neighbour in schema || isAlone(schema)
    ? []
    : [{ keyword, node }]
