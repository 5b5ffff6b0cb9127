/** The plugin's options: the section `mcp` of a configuration. */

import type { OptionsSchema, OptionsOf } from '@sallyport/core'
import { outboundHostPattern, outboundHostTitle } from '@sallyport/outbound'

const seconds = (value: number, description: string) => ({
  type: 'number' as const,
  default: value,
  exclusiveMinimum: 0,
  // one day; timers take at most 24 days
  maximum: 86_400,
  description,
})

const integer = (value: number, minimum: number, description: string) => ({
  type: 'integer' as const,
  default: value,
  minimum,
  description,
})

const stringMap = (description: string) => ({
  type: 'object' as const,
  additionalProperties: { type: 'string' as const },
  default: {},
  description,
})

const toolLimit = (value: number) => integer(value, 1, 'tools that a server may list; one that lists more is not used')

/** Limits of one server, of the configuration or of a request. */
const limits = {
  timeout: seconds(30, 'seconds that a call may take, or that may pass between two progress notifications'),
  maxTimeout: seconds(300, 'seconds that a call may take at most, whatever progress it reports'),
  connectTimeout: seconds(15, 'seconds for connecting and initialization, and again for listing the tools'),
  // lower than the limit of the tool loop, so that nothing is truncated twice
  maxOutput: integer(
    255 * 1024,
    1024,
    'bytes of the output of a call; longer output is truncated, and its last line says so',
  ),
  maxTools: toolLimit(1000),
  maxDescription: integer(
    16_384,
    100,
    'characters of the description of a tool; tools with longer ones are left out, and the log names them',
  ),
  maxMessages: integer(
    25_000,
    100,
    'messages in ten seconds, besides responses; a server that sends more is disconnected, and its calls fail',
  ),
  parallel: integer(16, 1, 'calls at the same time; others wait'),
} as const

const server = {
  type: 'object',
  additionalProperties: false,
  properties: {
    description: { type: 'string', description: 'what the server is for, for people and models' },
    command: {
      type: 'string',
      minLength: 1,
      description: 'a program that speaks the protocol over its standard input and output: on the PATH, or a path',
    },
    args: { type: 'array', items: { type: 'string' }, default: [], description: 'arguments of the program' },
    env: stringMap('further environment variables of the program'),
    cwd: {
      type: 'string',
      minLength: 1,
      description: 'working directory of the program; default: the directory of the configuration',
    },
    url: { type: 'string', minLength: 1, description: 'address of a server that speaks the protocol over HTTP' },
    transport: {
      type: 'string',
      enum: ['auto', 'streamable-http', 'sse'],
      default: 'auto',
      description: 'transport for a url; auto tries streamable HTTP first, then SSE',
    },
    headers: stringMap('further headers, sent to the origin of the url only'),
    authorization: {
      type: 'string',
      minLength: 1,
      description: 'authorization header, sent to the origin of the url only; a bare token is sent as bearer token',
    },
    allowedTools: {
      type: 'array',
      items: { type: 'string' },
      description: 'names of the tools that are offered; default: all',
    },
    pin: {
      type: 'boolean',
      default: true,
      description: 'whether tools that are new or have changed wait for `sallyport tools approve`',
    },
    tools: {
      type: 'object',
      additionalProperties: {
        type: 'string',
        pattern: '^[\\da-f]{64}$',
        title: 'a hash of 64 digits and letters from a to f',
      },
      description:
        'SHA-256 hashes of the tools that may be used, by name, instead of the remembered ones; `pin` then has no effect',
    },
    ...limits,
  },
} as const

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    servers: {
      type: 'object',
      propertyNames: {
        pattern: '^[A-Za-z\\d][\\w-]{0,63}$',
        title: 'a name of up to 64 letters, digits, _ and -, which begins with a letter or digit',
      },
      additionalProperties: server,
      default: {},
      description: 'tool servers by their labels',
    },
    requests: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'tool servers that requests name',
      properties: {
        allow: {
          type: 'array',
          items: {
            type: 'string',
            pattern: outboundHostPattern,
            title: outboundHostTitle,
          },
          default: [],
          description:
            'hosts that requests may name, with an optional port (default: 443 for https, 80 for http; :* for any); *.example.com allows its subdomains, * any host; by default none is allowed',
        },
        privateAddresses: {
          type: 'boolean',
          default: false,
          description: 'whether these hosts may be in private networks or on this machine',
        },
        connections: integer(32, 1, 'connections at the same time; an idle one makes room for another'),
        idle: seconds(60, 'seconds that a connection is kept after its last use'),
        ...limits,
        maxTools: toolLimit(128),
      },
    },
  },
} as const satisfies OptionsSchema

export type McpOptions = OptionsOf<typeof optionsSchema>
export type ServerOptions = McpOptions['servers'][string]
export type RequestedServerOptions = McpOptions['requests']
export type Limits = Pick<ServerOptions, keyof typeof limits>
