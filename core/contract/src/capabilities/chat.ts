import type { Call, Usage } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { finishShape, logprobsShape, optionsShape } from './generation-shapes.js'
import type { Finish, FinishReason, GenerationOptions, TokenLogprob } from './generation.js'
import { bytes, either, json, list, oneOf } from './shape.js'

export interface TextPart {
  type: 'text'
  text: string
}

export interface ImagePart {
  type: 'image'
  /** The file's bytes: png, jpeg, webp or gif. */
  image: Uint8Array
  /** According to the bytes, not to the request. */
  mediaType: string
  detail?: 'auto' | 'low' | 'high'
}

export type ContentPart = TextPart | ImagePart

export interface ToolCall {
  id: string
  name: string
  /** JSON text, as the model wrote it. */
  arguments: string
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | ContentPart[]
  /** On assistant messages: the calls that the model made. */
  toolCalls?: ToolCall[]
  /** On tool messages: the id of the call that this answers. */
  toolCallId?: string
  /** On assistant messages: what the model thought. */
  reasoning?: string
}

export interface FunctionTool {
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  parameters?: unknown
  /**
   * The arguments must be valid against the schema: the kernel enforces it. Those of other tools are as the model wrote
   * them, and need not be JSON.
   */
  strict?: boolean
}

/** With names, one of these tools must be called, and no other. The kernel enforces that, and that they exist. */
export type ToolChoice = 'none' | 'auto' | 'required' | { names: string[] }

/** The kernel enforces it, strict or not. A backend guarantees as much of it as it can, or refuses what it cannot. */
export type ResponseFormat =
  { type: 'text' } | { type: 'json_object' } | { type: 'json_schema'; schema: unknown; strict: boolean }

export interface ChatRequest extends GenerationOptions {
  messages: ChatMessage[]
  tools?: FunctionTool[]
  toolChoice?: ToolChoice
  parallelToolCalls?: boolean
  responseFormat?: ResponseFormat
  reasoningEffort?: 'low' | 'medium' | 'high'
}

/**
 * A chunk of one choice. `choice` is its position among the `n`, 0 when absent. What the kernel serves has no empty
 * chunks, except log-probabilities that remain after the text.
 */
export type ChatChunk = { choice?: number } & (
  | { delta: string; logprobs?: TokenLogprob[] }
  | { reasoning: string }
  /** `index`: position among the calls of the answer. The id and name come with the call's first chunk. */
  | { toolCall: { index: number; id?: string; name?: string; arguments: string } }
  | Finish
)

export interface ChatChoice {
  text: string
  reasoning?: string
  toolCalls?: ToolCall[]
  logprobs?: TokenLogprob[]
  finish: FinishReason
  stopSequence?: string
}

/** The collected stream. */
export interface ChatResult {
  choices: ChatChoice[]
  usage?: Usage
}

/** Answers a conversation with an assistant's message, chunk by chunk. */
export interface ChatCapability {
  /**
   * Yields the chunks of the answer and, last, its {@link Finish}. A chunk has text, reasoning, a part of a
   * tool call or the finish. A backend is asked for one choice at a time and need not number it. The kernel checks its
   * answers against `responseFormat` and `toolChoice`, and arguments against schemas.
   * @throws context_exceeded, unsupported, overloaded, model_unavailable; the signal's reason when aborted.
   */
  stream(request: ChatRequest, call: Call): AsyncIterable<ChatChunk>
}

export const chat = capability<ChatCapability>()('chat', {
  guarded: true,
  methods: {
    stream: {
      kind: 'stream',
      turns: {
        list: 'messages',
        role: 'role',
        text: 'content',
        continuedBy: { system: 'user' },
        origins: { system: 'system', user: 'user', assistant: 'model', tool: 'tool' },
      },
      together: [['tools'], ['stop']],
      recurring: ['tools'],
      calls: { part: 'toolCall', name: 'name' },
      request: {
        ...optionsShape,
        messages: list({
          role: oneOf('system', 'user', 'assistant', 'tool'),
          'reasoning?': 'text',
          content: either(
            'text',
            list({
              type: oneOf('text', 'image'),
              'text?': 'part',
              'image?': bytes('pixels: read by the vision model only'),
              'mediaType?': opaque('from the bytes'),
              'detail?': oneOf('auto', 'low', 'high'),
            }),
          ),
          'toolCalls?': list({ id: 'identifier', name: 'name', arguments: 'text' }),
          'toolCallId?': 'identifier',
        }),
        'tools?': list({ name: 'name', 'description?': 'text', 'parameters?': json('schema'), 'strict?': 'boolean' }),
        'toolChoice?': either(oneOf('none', 'auto', 'required'), { names: list('name') }),
        'parallelToolCalls?': 'boolean',
        'responseFormat?': {
          type: oneOf('text', 'json_object', 'json_schema'),
          'schema?': json('schema'),
          'strict?': 'boolean',
        },
        'reasoningEffort?': oneOf('low', 'medium', 'high'),
      },
      result: {
        ...finishShape,
        'choice?': 'number',
        'delta?': 'delta',
        'reasoning?': 'delta',
        'logprobs?': logprobsShape,
        'toolCall?': {
          index: 'number',
          'id?': 'identifier',
          'name?': opaque('equals the name of a tool of the request: the kernel enforces it'),
          arguments: 'delta',
        },
      },
    },
  },
})
