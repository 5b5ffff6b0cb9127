import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'

export interface Tool {
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  parameters: unknown
}

export interface ToolServer {
  label: string
  description?: string
  tools: Tool[]
}

export interface ToolCallRequest {
  server: string
  name: string
  /** Parsed JSON. */
  arguments: unknown
}

/** `error` is the tool's own failure, for the model to read; failures of the connection are thrown. */
export interface ToolCallResult {
  output: string
  error?: boolean
}

/** Tools that run elsewhere. */
export interface ToolsCapability {
  list(request: Record<never, never>, call: Call): Promise<{ servers: ToolServer[] }>
  /** @throws unsupported (no such tool), upstream_failed, deadline_exceeded. */
  call(request: ToolCallRequest, call: Call): Promise<ToolCallResult>
}

export const tools = capability<ToolsCapability>()('tools', {
  guarded: true,
  methods: {
    list: {
      kind: 'call',
      input: {},
      output: {
        servers: {
          label: opaque('from the configuration'),
          description: 'text',
          tools: { name: 'text', description: 'text', parameters: 'text' },
        },
      },
    },
    call: {
      kind: 'call',
      input: { server: opaque('must equal a known label'), name: opaque('must equal a known name'), arguments: 'text' },
      output: { output: 'text' },
    },
  },
})
