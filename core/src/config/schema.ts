/** The core's part of the configuration as JSON Schema, with defaults. Plugins add sections and options. */

/**
 * A JSON Schema as an object; `true` and `false` are not used. The keyword `short`, of our own, says what else may be
 * written; that is written out before anything is validated, and published as an alternative.
 */
export type JsonSchema = Readonly<Record<string, unknown>>

export const idPattern = '^(?!.*\\.\\.)[A-Za-z0-9][\\w.:/-]{0,127}$'

/** Titles stand in messages, after "must be". */
const idTitle = 'a name of up to 128 letters, digits and _ . : / -, which begins with a letter or digit and has no ".."'

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  description,
  type: 'string',
  minLength: 1,
  ...more,
})

const record = (description: string, properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  description,
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})

const pluginUse = text('Package name, or path relative to this file (`./shout.ts`).')

export const pluginSchema = record(
  'A plugin and its options.',
  {
    use: pluginUse,
    options: { description: "The plugin's options.", type: 'object' },
  },
  { required: ['use'], short: pluginUse },
)

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
    options: { description: "The backend's options for this model.", type: 'object', default: {} },
  },
  { required: ['backend'] },
)

const checkProperties = (threshold: number): JsonSchema => ({
  mode: {
    description: '`enforce` acts on findings, `shadow` only reports them.',
    enum: ['enforce', 'shadow'],
    default: 'enforce',
  },
  threshold: {
    description: 'Scores of the detector from here on count.',
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: threshold,
  },
  onFailure: {
    description: 'When the detector fails, takes too long or is missing: `block`, or `open` to let the text pass.',
    enum: ['block', 'open'],
    default: 'block',
  },
  budget: {
    description:
      'Milliseconds that the check of a text of up to 1,024 characters may take, a longer one in proportion, up to 16 ' +
      'times as many: of personal information with all that is replaced in it, and whatever escapes it has; other ' +
      'checks have as many for each way to read the escapes. A check whose detector is busy with other texts has up to ' +
      'seven times as many on top.',
    type: 'integer',
    minimum: 1,
    maximum: 600_000,
    default: 5000,
  },
})

/** Of checks of answers. */
const window: JsonSchema = {
  description:
    'What of an answer is checked at a time: `segment` (a sentence or so, which can be streamed), or the whole `answer`.',
  enum: ['segment', 'answer'],
  default: 'segment',
}

const check = (description: string, others: JsonSchema = {}): JsonSchema =>
  record(description, { ...checkProperties(0.5), ...others }, { short: { type: 'boolean' } })

const piiCheck = (description: string, others: JsonSchema = {}): JsonSchema =>
  record(
    description,
    {
      // What a detector of personal information reports, it has decided on.
      ...checkProperties(0),
      action: {
        description: '`block` refuses the text, `replace` replaces what was found.',
        enum: ['block', 'replace'],
        default: 'block',
      },
      method: {
        description:
          'How a finding is replaced: `random` characters of the same shape, a realistic `fake`, its `category` in ' +
          'angle brackets, or a `mask` (*).',
        enum: ['random', 'fake', 'category', 'mask'],
        default: 'random',
      },
      ignore: {
        description: 'Entity types that are not looked for, such as `LOCATION`.',
        type: 'array',
        items: {
          type: 'string',
          pattern: '^[A-Z][A-Z0-9_]*$',
          title: 'the name of an entity type, such as "LOCATION"',
        },
        uniqueItems: true,
        default: [],
      },
      ...others,
    },
    { short: { type: 'boolean' } },
  )

/** The checks of each stage, as policies have them. */
export const policyChecks = {
  input: {
    injection: check('Looks for attempts to turn the model against its instructions.'),
    pii: piiCheck('Looks for personal information in what goes in.'),
  },
  output: {
    pii: piiCheck('Looks for personal information in what comes out.', { window }),
    toxicity: check('Looks for toxic text in what comes out.', { window }),
    factuality: check('Checks what comes out against the text that went in.', { window }),
  },
} as const

const policy = record('Which checks run; a check that is left out does not.', {
  input: record('Checks of what goes in.', policyChecks.input, { default: {} }),
  output: record('Checks of what comes out.', policyChecks.output, { default: {} }),
})

/** A caller says these, or always has them so: it enforces what it asks for, and takes no failure for a pass. */
const saidByCallers: readonly string[] = ['mode', 'onFailure', 'action', 'ignore']

/** There whenever a caller asks: a check that is left out has its defaults, and none can be off. */
const checkForCallers = ({ properties, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties as JsonSchema).filter(([name]) => !saidByCallers.includes(name)),
  ),
  default: {},
  short: { const: true },
})

const checksForCallers = (description: string, checks: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  record(
    description,
    Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, checkForCallers(check)])),
    { default: {} },
  )

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
    additionalProperties: policy,
    default: {},
  },
  callerPolicy: record(
    'How the checks run that a caller asks for; they are always enforced, and block where the detector fails. Where the ' +
      "model's policy has the same check, the stricter of both holds: the lower threshold, and `block` before `replace`.",
    {
      input: checksForCallers('Checks of what goes in.', policyChecks.input),
      output: checksForCallers('Checks of what comes out.', policyChecks.output),
    },
    { default: {} },
  ),
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
    },
    { default: {} },
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>

/** Names that no plugin can claim as its section. */
export const coreKeys: readonly string[] = Object.keys(coreProperties)

/** Of a whole configuration in its long form, sections of plugins not looked at. */
export const coreSchema: JsonSchema = { type: 'object', properties: coreProperties }
