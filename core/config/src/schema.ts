/** The core's part of the configuration as JSON Schema, with defaults. Plugins add sections and options. */

import { record, text } from '@sallyport/kit/schemas'
import type { JsonSchema } from '@sallyport/kit/schemas'

export const idPattern = '^(?!.*\\.\\.)[A-Za-z0-9][\\w.:/-]{0,127}$'

/** Titles continue "must be" in messages. */
const idTitle = 'a name of up to 128 letters, digits and _ . : / -, which begins with a letter or digit and has no ".."'

const pluginUse = text('Package name, or path relative to this file (`./shout.ts`).')

export const pluginSchema = record(
  'A plugin and its options.',
  { use: pluginUse, options: { description: "The plugin's options.", type: 'object' } },
  { required: ['use'], short: pluginUse },
)

const loadTime = { enum: ['start', 'demand'] } as const

export const modelSchema = record(
  'A model.',
  {
    backend: text('Name of a backend of a loaded plugin.'),
    source: text(
      "Where the model's files come from: an id of the catalogue, `hf:owner/repository[@revision]/file`, or a path. " +
        "Default: the model's own name, looked up in the catalogue.",
    ),
    aliases: {
      description: 'Other names. One name may stand for several models where their capabilities differ.',
      type: 'array',
      items: { type: 'string', pattern: idPattern, title: idTitle },
      uniqueItems: true,
      default: [],
    },
    policy: text('Name of a policy. Default: `default`, when there is a policy of that name.'),
    description: text('Shown in listings.'),
    ownedBy: text('Shown in listings as `owned_by`.'),
    load: {
      ...loadTime,
      description: 'When the model loads. Default: as `load` says; models that policies use: at the start.',
    },
    keep: {
      description:
        'Minutes for which the model stays loaded without use, or `always`. Default: `always` for one that loads at the start, else 5.',
      anyOf: [{ type: 'number', minimum: 0, maximum: 100_000 }, { const: 'always' }],
    },
    options: { description: "The backend's options for this model.", type: 'object', default: {} },
  },
  { required: ['backend'] },
)

/** `checkPolicies` validates entries once the plugins are loaded. */
const entriesSchema = (description: string, short: JsonSchema): JsonSchema => ({
  description,
  type: 'object',
  additionalProperties: { type: 'object', short },
  default: {},
})

const stagesSchema = (description: string, short: JsonSchema, more: JsonSchema = {}): JsonSchema => {
  const input = entriesSchema('Checks of what goes in.', short)
  return record(description, { input, output: entriesSchema('Checks of what comes out.', short) }, more)
}

export const coreProperties = {
  $schema: { description: 'For editors: where the JSON Schema of this file is.', type: 'string' },
  plugins: {
    description: 'Plugins to load: package names or paths, with options where a plugin takes any.',
    type: 'array',
    items: pluginSchema,
    default: [],
  },
  models: {
    description: 'Models by the name that callers use. The first model of a capability is its default.',
    type: 'object',
    propertyNames: { pattern: idPattern, title: idTitle },
    additionalProperties: modelSchema,
    default: {},
  },
  policies: {
    description: 'Safeguard policies by name. The one called `default` holds for models that name none.',
    type: 'object',
    propertyNames: {
      pattern: '^[A-Za-z][\\w.-]{0,63}$',
      title: 'a name of up to 64 letters, digits and _ . -, which begins with a letter',
    },
    additionalProperties: stagesSchema('Which checks run; a check that is left out does not.', { type: 'boolean' }),
    default: {},
  },
  callerPolicy: stagesSchema('How the checks run that a caller asks for.', { const: true }, { default: {} }),
  load: {
    ...loadTime,
    description: 'When models load: all at the `start`, or each on `demand`, when it is first asked for.',
    default: 'start',
  },
  store: record(
    "Where models' files come from.",
    {
      catalogues: {
        description: 'Catalogue files beside the built-in one, relative to this file.',
        type: 'array',
        items: { type: 'string', minLength: 1 },
        default: [],
      },
      offline: { description: 'Fetch nothing; use what is in the cache.', type: 'boolean', default: false },
    },
    { default: {} },
  ),
  limits: record(
    'Limits of the kernel.',
    {
      deadline: {
        description: 'Longest time that a call may take, in seconds.',
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 86_400,
        default: 300,
      },
      drain: {
        description: 'Seconds that running calls get to finish when the server is told to stop.',
        type: 'number',
        minimum: 0,
        maximum: 86_400,
        default: 30,
      },
      memory: {
        description: "Share of the machine's memory that the models may need together, above 0 up to 1.",
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 1,
        default: 0.9,
      },
    },
    { default: {} },
  ),
  log: record(
    'What is logged, and how.',
    {
      level: {
        description: 'The least important lines that are logged.',
        enum: ['debug', 'info', 'warn', 'error', 'silent'],
        default: 'info',
      },
      format: {
        description: '`auto`: readable lines at a terminal, JSON elsewhere.',
        enum: ['auto', 'json', 'pretty'],
        default: 'auto',
      },
      exceptions: {
        description:
          '`frames`: class, code and place of exceptions. `full`: what they say, too, and what processes of models printed last; both may quote what users wrote.',
        enum: ['frames', 'full'],
        default: 'frames',
      },
    },
    { default: {} },
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>

/** Names that no plugin can claim as its section. */
export const coreKeys: readonly string[] = Object.keys(coreProperties)

/** The schema of a configuration in its long form; it leaves out sections of plugins. */
export const coreSchema: JsonSchema = { type: 'object', properties: coreProperties }
