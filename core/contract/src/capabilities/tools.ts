import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { either, json, list } from './shape.js'

export interface Tool {
  name: string
  /** A name for people. */
  title?: string
  description?: string
  /** JSON Schema of the arguments. */
  parameters: unknown
}

export interface ToolServer {
  label: string
  description?: string
  ownedBy?: string
  /** When its tools were listed, in Unix seconds. */
  created?: number
  tools: Tool[]
}

/** A server that is named by a request and not by the configuration. It is not trusted. */
export interface RequestedServer {
  label: string
  url: string
  description?: string
  /**
   * The value of the header `authorization`, for the origin of the url only; a bare token is sent as a bearer token.
   */
  authorization?: string
  /** Headers, sent to the origin of the url only. */
  headers?: { name: string; value: string }[]
}

/** All servers of the configuration, one of them by its label, or one that the request names. */
export type ToolListRequest =
  | { server?: never; requested?: never }
  | { server: string; requested?: never }
  | { requested: RequestedServer; server?: never }

export interface ToolCallRequest {
  /** A label of the configuration, or that of `requested`. */
  server: string
  requested?: RequestedServer
  name: string
  /** Any JSON value. */
  arguments: unknown
}

/** `error` is the tool's own failure, for the model to read; failures of the connection are thrown. */
export interface ToolCallResult {
  /** One text, or several that the model reads joined by line breaks. */
  output: string | string[]
  error?: boolean
}

/** The text of a result that a model reads. */
export const outputText = ({ output }: Pick<ToolCallResult, 'output'>): string =>
  typeof output === 'string' ? output : output.join('\n')

/** Tools that run elsewhere. */
export interface ToolsCapability {
  /**
   * A server of the configuration that cannot be reached is left out of the list of all.
   * @throws unsupported (no such server, or none may be requested), invalid_request (its address or headers),
   * upstream_failed, deadline_exceeded.
   */
  list(request: ToolListRequest, call: Call): Promise<{ servers: ToolServer[] }>
  /** @throws those of `list`; unsupported (no such tool, or one that has changed since it was approved). */
  call(request: ToolCallRequest, call: Call): Promise<ToolCallResult>
}

const requested = {
  label: 'text',
  url: opaque('fetched under the rules for addresses of requests'),
  'description?': 'text',
  'authorization?': opaque('a credential for the server'),
  'headers?': list({ name: opaque('of HTTP'), value: opaque('a credential or setting for the server') }),
} as const

export const tools = capability<ToolsCapability>()('tools', {
  guarded: true,
  methods: {
    list: {
      kind: 'call',
      forModels: {
        origin: 'tool',
        together: [['servers']],
        recurring: ['servers'],
        separable: { list: 'servers', name: 'label', parts: { list: 'tools', name: 'name' } },
      },
      request: { 'server?': opaque('must equal a known label'), 'requested?': requested },
      result: {
        servers: list({
          label: opaque('from the configuration, or the request'),
          'description?': 'text',
          'ownedBy?': 'text',
          'created?': 'number',
          tools: list({ name: 'name', 'title?': 'text', 'description?': 'text', parameters: json('schema') }),
        }),
      },
    },
    call: {
      kind: 'call',
      forModels: { origin: 'tool', together: [['output']] },
      recipient: { field: 'server', unless: 'requested' },
      request: {
        server: opaque('must equal a known label'),
        'requested?': requested,
        name: opaque('must equal a known name'),
        arguments: json('text'),
      },
      result: { output: either('text', list('text')), 'error?': 'boolean' },
    },
  },
})
