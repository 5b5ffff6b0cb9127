/** Options of one model, under `models.<id>.options`. */

import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const seconds = <const Default extends number>(description: string, value: Default) =>
  ({ type: 'number', minimum: 0.001, maximum: 86_400, default: value, description: `${description} Seconds.` }) as const

const mebibytes = <const Size extends number>(description: string, size: Size) =>
  ({ type: 'number', exclusiveMinimum: 0, maximum: 65_536, default: size, description: `${description} MiB.` }) as const

/** An optional object whose members have defaults. */
const group = <const Properties>(description: string, properties: Properties) =>
  ({ type: 'object', additionalProperties: false, default: {}, description, properties }) as const

const stringMap = (description: string) =>
  ({ type: 'object', additionalProperties: { type: 'string' }, default: {}, description }) as const

const server = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  description: 'A server to start and supervise: it is restarted after a crash, and stopped with the kernel.',
  properties: {
    command: { type: 'string', minLength: 1, description: 'A program on the PATH (`llama-server`), or a path.' },
    args: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Arguments; `{port}` is replaced by the port.',
    },
    cwd: { type: 'string', minLength: 1, description: 'Working directory. Default: that of the configuration file.' },
    env: stringMap('Variables besides the few that the program inherits (PATH, HOME, locale, GPU selection).'),
    port: {
      anyOf: [{ type: 'integer', minimum: 0, maximum: 65_535 }, { const: 'auto' }],
      default: 0,
      description: 'The port on which it listens; 0 or `auto` chooses a free one.',
    },
    ready: group('How readiness is detected.', {
      path: {
        type: 'string',
        pattern: '^/',
        title: 'a path that begins with /',
        default: '/health',
        description: 'The path that returns 2xx once the server is ready.',
      },
      timeout: seconds('The time limit until it is ready.', 300),
    }),
    restart: group('Restarts after a crash.', {
      delay: seconds('Before the second restart; doubles with each crash. The first restart is immediate.', 1),
      longest: seconds('The maximum between a crash and the restart.', 60),
    }),
    stopTimeout: seconds('The time between SIGTERM and SIGKILL.', 5),
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
    apiKey: { type: 'string', description: 'Bearer token; best taken from the environment: `${OPENAI_API_KEY}`.' },
    headers: {
      ...stringMap('Further headers of each request.'),
      propertyNames: { pattern: '^[A-Za-z0-9-]+$', title: 'the name of a header: letters, digits and -' },
    },
    capabilities: {
      type: 'array',
      items: { enum: ['chat', 'completion', 'embedding', 'rerank', 'tokens'] },
      minItems: 1,
      uniqueItems: true,
      default: ['chat', 'completion'],
      description: 'The capabilities that the server has for this model.',
    },
    contextLength: { type: 'integer', minimum: 1, description: "Tokens. Default: from the server's list of models." },
    features: group('Features of the model. A request for one that is false is refused without asking the server.', {
      image: { type: 'boolean', description: 'Takes images.' },
      tools: { type: 'boolean', description: 'Calls functions.' },
      reasoning: { type: 'boolean', description: 'Reasons before it answers.' },
    }),
    infill: { type: 'boolean', default: false, description: 'The model fills gaps: completions may have a suffix.' },
    kind: {
      enum: ['auto', 'openai', 'llama-server'],
      default: 'auto',
      description: "The variant of the API; `auto` detects it from the server's list of models.",
    },
    body: {
      type: 'object',
      additionalProperties: true,
      default: {},
      description: 'Further fields of each generation request, such as `chat_template_kwargs`.',
    },
    timeouts: group('How long to wait for the server.', {
      connect: seconds('Until the connection is open.', 10),
      firstByte: seconds('Until the response begins, which includes processing the prompt.', 300),
      idle: seconds('Between two parts of a response.', 60),
      total: seconds('For a whole response, retries included.', 3600),
    }),
    retries: group('Before the first byte: connection errors, and the statuses 429, 502, 503, 504.', {
      count: {
        type: 'integer',
        minimum: 0,
        maximum: 10,
        default: 2,
        description: 'The maximum number of retries; 0 disables them.',
      },
      delay: seconds('Before the first retry; doubles with each retry, with jitter.', 0.5),
      longest: seconds('A longer `Retry-After` is passed on to the client.', 20),
    }),
    limits: group('The maximum sizes of responses.', {
      event: mebibytes('One event of a stream.', 4),
      body: mebibytes('A response that is not streamed.', 64),
      stream: mebibytes('A whole stream.', 1024),
    }),
    embedding: group('For the capability `embedding`.', {
      batch: { type: 'integer', minimum: 1, maximum: 2048, default: 64, description: 'Inputs per request.' },
      queryPrefix: { type: 'string', default: '', description: 'Prefix of queries.' },
      documentPrefix: { type: 'string', default: '', description: 'Prefix of documents.' },
    }),
    rerank: group('For the capability `rerank`.', {
      scores: {
        enum: ['auto', 'probability', 'logit'],
        default: 'auto',
        description: 'The kind of the scores; `auto` treats them as logits when one lies outside 0..1.',
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
