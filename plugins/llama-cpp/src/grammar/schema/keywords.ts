/** What the keywords of JSON Schema may hold (draft 2020-12 and draft 7), and which of them hold schemas. */

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value)
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => isList(value) && value.every(isText)

interface Kind {
  readonly name: string
  readonly fits: (value: unknown) => boolean
}

const schema: Kind = { name: 'a schema', fits: isSchema }
const schemas: Kind = {
  name: 'a list of schemas',
  fits: (value) => isList(value) && value.length > 0 && value.every(isSchema),
}
const schemaMap: Kind = {
  name: 'an object of schemas',
  fits: (value) => isObject(value) && Object.values(value).every(isSchema),
}
const items: Kind = {
  name: 'a schema, or a list of them',
  fits: (value) => isSchema(value) || (isList(value) && value.every(isSchema)),
}
const count: Kind = { name: 'a whole number that is not negative', fits: isCount }
const number: Kind = { name: 'a number', fits: isNumber }
const text: Kind = { name: 'a text', fits: isText }
const texts: Kind = { name: 'a list of texts', fits: isTexts }
const truth: Kind = { name: 'true or false', fits: (value) => typeof value === 'boolean' }

/** What a keyword holds that has schemas in it: one, a list, an object of them by names, or one or a list. */
export type Holding = 'schema' | 'list' | 'map' | 'schema or list'

export const schemaHoldings: ReadonlyMap<string, Holding> = new Map<string, Holding>([
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['not', 'schema'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['items', 'schema or list'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['dependencies', 'map'],
  ['dependentSchemas', 'map'],
  ['patternProperties', 'map'],
  ['properties', 'map'],
])

const schemaKinds: Readonly<Record<Holding, Kind>> = { schema, list: schemas, map: schemaMap, 'schema or list': items }

export const keywordKinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...[...schemaHoldings].map(([keyword, holding]) => [keyword, schemaKinds[holding]] as const),
  ['dependencies', { name: 'an object', fits: isObject }],
  [
    'dependentRequired',
    { name: 'an object of lists of texts', fits: (value) => isObject(value) && Object.values(value).every(isTexts) },
  ],
  ['enum', { name: 'a list', fits: isList }],
  ['required', texts],
  ['format', text],
  ['pattern', text],
  ['$ref', text],
  ['$dynamicRef', text],
  ['$recursiveRef', text],
  ['$id', text],
  ['$anchor', text],
  ['$dynamicAnchor', text],
  ['$schema', text],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minProperties', count],
  ['maxProperties', count],
  ['minContains', count],
  ['maxContains', count],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', { name: 'a number above zero', fits: (value) => isNumber(value) && (value as number) > 0 }],
  ['uniqueItems', truth],
  ['nullable', truth],
])

export const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
export type TypeName = (typeof typeNames)[number]

export const isTypeName = (value: unknown): value is TypeName => typeNames.some((name) => name === value)

/** Names of types in programming languages, which schemas made from their signatures contain. */
export const meantTypes: ReadonlyMap<string, TypeName> = new Map(
  Object.entries({
    dict: 'object',
    map: 'object',
    struct: 'object',
    list: 'array',
    tuple: 'array',
    str: 'string',
    text: 'string',
    int: 'integer',
    long: 'integer',
    float: 'number',
    double: 'number',
    bool: 'boolean',
    none: 'null',
  }),
)
