/** Options of one model, under `models.<id>.options`. */

import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const seconds = <const Default extends number>(description: string, standard: Default) =>
  ({
    type: 'number',
    minimum: 0.001,
    maximum: 86_400,
    default: standard,
    description: `${description} Seconds.`,
  }) as const

const mebibytes = <const Default extends number>(description: string, standard: Default) =>
  ({
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 65_536,
    default: standard,
    description: `${description} MiB.`,
  }) as const

/** An optional object whose members have defaults. */
const group = <const Properties>(description: string, properties: Properties) =>
  ({ type: 'object', additionalProperties: false, default: {}, description, properties }) as const

const texts = (description: string) =>
  ({ type: 'object', additionalProperties: { type: 'string' }, default: {}, description }) as const

const server = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  description: 'Start and supervise the server: restarted after a crash, killed with the kernel.',
  properties: {
    command: { type: 'string', minLength: 1, description: 'A program on the PATH (`llama-server`), or a path.' },
    args: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Arguments; `{port}` stands for the port.',
    },
    cwd: { type: 'string', minLength: 1, description: "Working directory. Default: the configuration file's." },
    env: texts('Added to the few variables that the program inherits (PATH, HOME, locale, GPU selection).'),
    port: {
      anyOf: [{ type: 'integer', minimum: 0, maximum: 65_535 }, { const: 'auto' }],
      default: 0,
      description: 'Where it listens; 0 or `auto` takes a free port.',
    },
    ready: group('How readiness is found out.', {
      path: {
        type: 'string',
        pattern: '^/',
        title: 'a path that begins with /',
        default: '/health',
        description: 'Answers 2xx once it can serve.',
      },
      timeout: seconds('The time limit until it is ready.', 300),
    }),
    restart: group('After a crash.', {
      delay: seconds('Before the second restart; doubles with each crash. The first comes at once.', 1),
      longest: seconds('Longest time between a crash and the restart.', 60),
    }),
    stopTimeout: seconds('The time limit to end after SIGTERM; then it is killed.', 5),
  },
} as const

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: {
      type: 'string',
      pattern: '^https?://',
      title: 'an address that begins with https:// or http://',
      description: 'Base URL, ending in /v1 as a rule. With `server` it may hold `{port}`, and may be left out.',
    },
    model: { type: 'string', minLength: 1, description: "The server's id of the model. Default: this model's id." },
    apiKey: { type: 'string', description: 'Sent as bearer token; take it from the environment: `${OPENAI_API_KEY}`.' },
    headers: {
      ...texts('Further headers of each request.'),
      propertyNames: { pattern: '^[A-Za-z0-9-]+$', title: 'the name of a header: letters, digits and -' },
    },
    capabilities: {
      type: 'array',
      items: { enum: ['chat', 'completion', 'embedding', 'rerank', 'tokens'] },
      minItems: 1,
      uniqueItems: true,
      default: ['chat', 'completion'],
      description: 'What the server serves for this model.',
    },
    contextLength: { type: 'integer', minimum: 1, description: "Tokens. Default: what the server's listing says." },
    features: group('What the model can do; a request that needs what is false is refused without asking the server.', {
      image: { type: 'boolean', description: 'Takes images.' },
      tools: { type: 'boolean', description: 'Calls functions.' },
      reasoning: { type: 'boolean', description: 'Reasons before it answers.' },
    }),
    infill: {
      type: 'boolean',
      default: false,
      description: 'The model fills gaps: completion requests may have a suffix.',
    },
    kind: {
      enum: ['auto', 'openai', 'llama-server'],
      default: 'auto',
      description: "Whose variant of the API the server has; `auto` looks at the server's listing.",
    },
    body: {
      type: 'object',
      additionalProperties: true,
      default: {},
      description: 'Further fields of each generation request, such as `chat_template_kwargs`.',
    },
    timeouts: group('How long to wait for the server.', {
      connect: seconds('Until the connection is open.', 10),
      firstByte: seconds('Until the answer begins: the prompt is read meanwhile.', 300),
      idle: seconds('Between two parts of an answer.', 60),
      total: seconds('For a whole answer, retries included.', 3600),
    }),
    retries: group('Before the first byte: connection errors, and the statuses 429, 502, 503, 504.', {
      count: {
        type: 'integer',
        minimum: 0,
        maximum: 10,
        default: 2,
        description: 'The maximum of retries; 0 turns them off.',
      },
      delay: seconds('Before the first retry; doubles with each, jittered.', 0.5),
      longest: seconds('A longer `Retry-After` is passed on to the client.', 20),
    }),
    limits: group('What the server may send.', {
      event: mebibytes('One event of a stream.', 4),
      body: mebibytes('An answer that is not streamed.', 64),
      stream: mebibytes('A whole stream.', 1024),
    }),
    embedding: group('For the capability `embedding`.', {
      batch: { type: 'integer', minimum: 1, maximum: 2048, default: 64, description: 'Inputs per request.' },
      queryPrefix: { type: 'string', default: '', description: 'Put before queries.' },
      documentPrefix: { type: 'string', default: '', description: 'Put before documents.' },
    }),
    rerank: group('For the capability `rerank`.', {
      scores: {
        enum: ['auto', 'probability', 'logit'],
        default: 'auto',
        description: 'What the scores are; `auto` takes them for logits when one lies outside 0..1.',
      },
    }),
    server,
  },
  anyOf: [{ required: ['url'] }, { required: ['server'] }],
} as const satisfies OptionsSchema

/** The options without `anyOf`, which only says that `url` or `server` is needed. */
export type UpstreamOptions = OptionsOf<Omit<typeof optionsSchema, 'anyOf'>>

/** A capability that a model of the backend `openai` can provide. */
export type ProvidedCapability = UpstreamOptions['capabilities'][number]

/** The variant of the API, where servers differ without saying so. */
export type ServerKind = Exclude<UpstreamOptions['kind'], 'auto'>

/** A server program that belongs to the model: started with it, restarted after a crash, killed with it. */
export type ServerOptions = NonNullable<UpstreamOptions['server']>
