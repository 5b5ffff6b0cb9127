/** The published JSON Schema of a configuration: the core's, with what a set of plugins adds. For editors. */

import type { BackendDefinition, Check, PluginDefinition } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { normaliseOptionsSchema, mapSubschemas } from '@sallyport/kit/schemas'
import type { JsonSchema } from '@sallyport/kit/schemas'
import { checksOf, ownEntries } from './checks.js'
import { policySchema } from './policy-schema.js'
import type { PolicyAudience } from './policy-schema.js'
import { coreProperties, modelSchema, pluginSchema } from './schema.js'

export interface PublishedPlugin {
  /** How a configuration names it. */
  readonly use: string
  readonly definition: PluginDefinition
}

/** The result does not depend on the order of the plugins, for it is compared with a committed file. */
export const composeSchema = (plugins: readonly PublishedPlugin[]): JsonSchema => {
  const sorted = plugins.toSorted((a, b) => (a.use < b.use ? -1 : 1))
  const sections = sorted.flatMap(({ use, definition: { section, options } }) =>
    section === undefined ? [] : [[section, optionsSchema(options, `Options of ${use}.`)] as const],
  )
  const checks = [...checksOf(sorted.map(({ definition }) => definition)).values()]
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of a Sallyport server',
    type: 'object',
    properties: {
      ...mapValues(coreProperties, published),
      plugins: pluginsSchema(sorted),
      policies: { ...coreProperties.policies, additionalProperties: publishedPolicy(checks, 'models') },
      callerPolicy: { ...publishedPolicy(checks, 'callers'), default: {} },
      models: modelsSchema(sorted.flatMap(({ definition }) => Object.entries(definition.backends ?? {}))),
      ...Object.fromEntries(sections),
    },
    additionalProperties: false,
  }
  return withDefinitions(schema, { reference })
}

/** Equal schemas with at least this many characters share a definition. */
const minDefinition = 100

/** Moves schemas that occur several times to `$defs`, under the key where each occurs first. */
const withDefinitions = (schema: JsonSchema, known: JsonSchema): JsonSchema => {
  const counts = new Map<string, number>()
  const count = (child: JsonSchema): JsonSchema => {
    const text = JSON.stringify(child)
    const before = counts.get(text) ?? 0
    counts.set(text, before + 1)
    return before ? child : mapSubschemas(child, count)
  }
  mapSubschemas(schema, count)
  const definitions: Record<string, unknown> = { ...known }
  const names = new Map<string, string>()
  const share = (child: JsonSchema, keyword: string, key = keyword): JsonSchema => {
    const text = JSON.stringify(child)
    if ((counts.get(text) ?? 0) < 2 || text.length < minDefinition) return mapSubschemas(child, share)
    const name = names.get(text) ?? freeName(key.replace(/[^\w-]+/g, '-'), definitions)
    if (!names.has(text)) {
      names.set(text, name)
      // The name is taken before what is inside wants the same one.
      definitions[name] = undefined
      definitions[name] = mapSubschemas(child, share)
    }
    return { $ref: `#/$defs/${name}` }
  }
  return { ...mapSubschemas(schema, share), $defs: definitions }
}

const freeName = (name: string, taken: object, number = 1): string => {
  const numbered = number > 1 ? `${name}${number}` : name
  return Object.hasOwn(taken, numbered) ? freeName(name, taken, number + 1) : numbered
}

const mapValues = (record: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, isRecord(value) ? change(value) : value]))

const reference: JsonSchema = {
  description: 'An environment variable: `${NAME}`, or `${NAME:-default}`.',
  type: 'string',
  pattern: '\\$\\{[A-Za-z_]\\w*(:-[^{}]*)?\\}',
}

const isFreeString = (schema: JsonSchema) =>
  schema.type === 'string' && !['pattern', 'format', 'enum', 'const'].some((keyword) => keyword in schema)

const isScalar = ({ type, ...schema }: JsonSchema) =>
  'enum' in schema || 'const' in schema || ['string', 'number', 'integer', 'boolean'].includes(String(type))

/** Allows a reference to the environment in place of each scalar, for which a free string has room anyway. */
const withReferences = (schema: JsonSchema): JsonSchema => {
  if (!isScalar(schema))
    return mapSubschemas(schema, (child, keyword) => (isCondition(keyword) ? child : withReferences(child)))
  if (isFreeString(schema)) return schema
  const { description, default: filledIn, ...value } = schema
  return {
    ...(description === undefined ? {} : { description }),
    ...(filledIn === undefined ? {} : { default: filledIn }),
    anyOf: [value, { $ref: '#/$defs/reference' }],
  }
}

const isCondition = (keyword: string) => ['if', 'not', 'propertyNames'].includes(keyword)

/** Allows the short form of a value beside the long one. */
const withShortForms = (schema: JsonSchema): JsonSchema => {
  const { short, description, ...long } = mapSubschemas(schema, withShortForms)
  if (!isRecord(short)) return description === undefined ? long : { description, ...long }
  return { description, anyOf: [short, long] }
}

const published = (schema: JsonSchema): JsonSchema => withReferences(withShortForms(schema))

const propertiesOf = (schema: JsonSchema): JsonSchema => (isRecord(schema.properties) ? schema.properties : {})

const optionsSchema = (schema: PluginDefinition['options'], description: string): JsonSchema => ({
  description,
  ...withReferences(normaliseOptionsSchema(schema)),
})

/** Suggests known names with their descriptions, and allows any other name. */
const withSuggestions = (known: readonly { name: string; about?: string }[], schema: unknown): JsonSchema => {
  const { description, ...rest } = isRecord(schema) ? schema : {}
  const suggestions = known.map(({ name, about }) => ({ const: name, ...(about ? { description: about } : {}) }))
  return { description, anyOf: [...suggestions, rest] }
}

/** A condition: where the key has this value, the options must match this schema. */
const conditionFor = (key: string, value: string, options: JsonSchema | false): JsonSchema => ({
  if: { properties: { [key]: { const: value } }, required: [key] },
  then: { properties: { options }, ...(options && Array.isArray(options.required) && { required: ['options'] }) },
})

const pluginsSchema = (plugins: readonly PublishedPlugin[]): JsonSchema => {
  const known = plugins.map(({ use }) => ({ name: use }))
  const use = withSuggestions(known, propertiesOf(pluginSchema).use)
  const conditions = plugins.map(({ use: name, definition: { section, options } }) =>
    conditionFor('use', name, section === undefined ? optionsSchema(options, `Options of ${name}.`) : false),
  )
  const properties = { ...propertiesOf(pluginSchema), use }
  const entry = { ...pluginSchema, short: use, properties, ...allOf(conditions) }
  return { ...coreProperties.plugins, items: withShortForms(entry) }
}

/** An entry under an operator's own name must say which check it is; its options are validated when it is read. */
const namedEntry = (checks: readonly Check[]): JsonSchema => ({
  description: 'A check under a name of its own.',
  type: 'object',
  properties: { check: { description: 'The check.', enum: checks.map(({ name }) => name) } },
  required: ['check'],
})

const withNamedEntries = (policy: JsonSchema, checks: readonly Check[]): JsonSchema => ({
  ...policy,
  properties: mapValues(propertiesOf(policy), (stage) => ({
    ...stage,
    ...(checks.length ? { additionalProperties: namedEntry(checks) } : {}),
  })),
})

const publishedPolicy = (checks: readonly Check[], audience: PolicyAudience): JsonSchema =>
  published(withNamedEntries(policySchema(ownEntries(checks), audience), checks))

const modelsSchema = (backends: readonly (readonly [name: string, backend: BackendDefinition])[]): JsonSchema => {
  const known = backends.map(([name, { description }]) => ({ name, about: description }))
  const conditions = backends.map(([name, { options }]) =>
    conditionFor('backend', name, optionsSchema(options, `Options of the backend ${name}.`)),
  )
  const { backend, ...properties } = propertiesOf(withReferences(modelSchema))
  return {
    ...coreProperties.models,
    additionalProperties: {
      ...modelSchema,
      properties: { backend: withSuggestions(known, backend), ...properties },
      ...allOf(conditions),
    },
  }
}

const allOf = (conditions: readonly JsonSchema[]): JsonSchema => (conditions.length ? { allOf: conditions } : {})
