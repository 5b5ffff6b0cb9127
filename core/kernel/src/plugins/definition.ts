/** Validates what a plugin's module exports: no compiler checks plugins in JavaScript. */

import { append } from '@sallyport/kit/lists'
import { failure } from '@sallyport/core'
import type {
  BackendDefinition,
  CommandDefinition,
  PluginModel,
  PluginDefinition,
  ProcessIsolation,
  CapabilityClass,
  OptionalProgram,
  RequiredFile,
} from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { optionsChecker, compileSchema } from '@sallyport/kit/schemas'
import type { JsonSchema, Validate } from '@sallyport/kit/schemas'
import { coreKeys, idPattern } from '@sallyport/config'

const text: JsonSchema = { type: 'string', minLength: 1 }
const object: JsonSchema = { type: 'object' }
const stringMap: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } }
const optionsSchema: JsonSchema = { type: 'object', properties: { type: { const: 'object' } }, required: ['type'] }
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const ids: JsonSchema = { pattern: idPattern }

/** One schema for each key of the type, which the compiler enforces. */
type Keys<Type> = Readonly<Record<keyof Type, JsonSchema>>

const record = <Type>(properties: Keys<Type>, ...required: readonly (keyof Type)[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const capability: JsonSchema = { is: 'capability' }
const classValue: JsonSchema = { is: 'class' }
const functionValue: JsonSchema = { is: 'function' }
const capabilityClass = record<CapabilityClass>({ capability, class: classValue }, 'capability', 'class')

const model = record<PluginModel>(
  {
    capability,
    class: classValue,
    also: listOf(capabilityClass),
    contextLength: { type: 'integer', minimum: 1 },
    parameters: { type: 'integer', minimum: 1 },
    description: text,
    ownedBy: text,
    features: object,
    entityTypes: listOf(text),
    aliases: listOf({ type: 'string', ...ids }),
  },
  'capability',
  'class',
)

/** One entry for each string literal of the type, which the compiler enforces. */
const fileModes: Readonly<Record<Extract<BackendDefinition['files'], string>, true>> = { weights: true, none: true }

const files: JsonSchema = {
  anyOf: [
    { enum: Object.keys(fileModes) },
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: record<RequiredFile>(
        { names: { ...listOf(text), minItems: 1 }, optional: { type: 'boolean' } },
        'names',
      ),
    },
  ],
}

const backend = record<BackendDefinition>(
  {
    description: text,
    options: optionsSchema,
    capabilities: listOf(capability),
    always: functionValue,
    features: object,
    class: classValue,
    files,
    formats: { ...listOf({ type: 'string', pattern: '^\\.\\w' }), minItems: 1 },
    programs: {
      anyOf: [
        functionValue,
        listOf(
          record<OptionalProgram>(
            { name: { type: 'string', pattern: '^[\\w.+-]+$' }, without: text },
            'name',
            'without',
          ),
        ),
      ],
    },
    isolation: record<ProcessIsolation>({ env: stringMap, memory: functionValue }),
    estimate: functionValue,
    check: functionValue,
    entityTypes: functionValue,
  },
  'description',
  'capabilities',
  'class',
)

const named = { name: text, description: text }

const command = record<CommandDefinition>(
  {
    ...named,
    arguments: listOf(record<typeof named>(named, 'name', 'description')),
    options: listOf(
      record<NonNullable<CommandDefinition['options']>[number]>(
        { flags: text, description: text, default: { type: 'string' } },
        'flags',
        'description',
      ),
    ),
    commands: listOf({ $ref: '#/$defs/command' }),
    run: functionValue,
  },
  'name',
  'description',
)

const definitionSchema: JsonSchema = {
  ...record<PluginDefinition>(
    {
      name: text,
      options: optionsSchema,
      section: { type: 'string', pattern: '^[A-Za-z][\\w-]*$' },
      models: { type: 'object', propertyNames: ids, additionalProperties: model },
      backends: { type: 'object', additionalProperties: backend },
      requires: listOf(capability),
      services: listOf(classValue),
      commands: listOf({ $ref: '#/$defs/command' }),
    },
    'name',
  ),
  $defs: { command },
}

let validator: Validate | undefined
const checkedDefinitions = new WeakSet()

/**
 * Returns the value as a definition.
 * @param plugin the plugin's name in the configuration, for the error
 * @throws plugin_invalid
 */
export const checkDefinition = (value: object, plugin: string): PluginDefinition => {
  const definition = value as PluginDefinition
  if (checkedDefinitions.has(value)) return definition
  validator ??= compileSchema(definitionSchema)
  const problems = validator(value).map(({ path, problem }) => [showPath(path), problem].filter(Boolean).join(': '))
  if (!problems.length) append(problems, problemsBeyondSchema(definition))
  if (problems.length) throw failure('plugin_invalid', { plugin, problem: problems.join('; ') })
  checkedDefinitions.add(value)
  return definition
}

const problemsBeyondSchema = ({ section, options, backends }: PluginDefinition): readonly string[] => {
  const schemas = [
    ['options', options] as const,
    ...Object.entries(backends ?? {}).map(([name, { options }]) => [`backends.${name}.options`, options] as const),
  ]
  const isCoreKey = section !== undefined && coreKeys.includes(section)
  return [
    ...(isCoreKey ? [`section: "${section}" is a key of the core: choose another name`] : []),
    ...schemas.flatMap(([path, schema]) => schemaProblem(schema).map((problem) => `${path}: ${problem}`)),
  ]
}

const schemaProblem = (schema: PluginDefinition['options']): readonly string[] => {
  try {
    optionsChecker(schema)
    return []
  } catch (error) {
    return [`is not a JSON Schema that can be used: ${error instanceof Error ? error.message : String(error)}`]
  }
}
