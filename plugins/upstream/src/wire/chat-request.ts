import { failure } from '@sallyport/core'
import type { ChatMessage, ChatRequest, ContentPart, ResponseFormat } from '@sallyport/core'
import type { ServerKind } from '../options.js'
import { encodeGeneration, nonEmpty, requestedAlternatives } from './generation.js'
import type { WireBody } from './generation.js'

export const encodeChat = (request: ChatRequest, kind: ServerKind): WireBody => ({
  ...encodeGeneration(request),
  messages: request.messages.map(encodeMessage),
  logprobs: request.topLogprobs === undefined ? undefined : true,
  top_logprobs: requestedAlternatives(request),
  ...encodeTools(request),
  response_format: encodeFormat(request.responseFormat, kind),
  reasoning_effort: request.reasoningEffort,
})

const encodeMessage = ({ role, content, toolCalls, toolCallId, reasoning }: ChatMessage): WireBody => ({
  role,
  content: content === '' && toolCalls?.length ? null : encodeContent(content),
  tool_calls: nonEmpty(toolCalls)?.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  })),
  tool_call_id: toolCallId,
  reasoning_content: reasoning,
})

const encodeContent = (content: string | ContentPart[]) =>
  typeof content === 'string' ? content : content.map(encodePart)

const encodePart = (part: ContentPart): WireBody =>
  part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: dataUri(part.image, part.mediaType), detail: part.detail } }

const dataUri = (bytes: Uint8Array, mediaType: string) =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`

/**
 * A choice of names becomes `required` with only those tools: servers that do not know the object form (llama-server)
 * take it for `auto`.
 */
const encodeTools = ({ tools = [], toolChoice, parallelToolCalls }: ChatRequest): WireBody => {
  if (!tools.length) return {}
  const names = typeof toolChoice === 'object' ? toolChoice.names : undefined
  const offered = names ? tools.filter(({ name }) => names.includes(name)) : tools
  if (!offered.length)
    throw failure('invalid_request', { field: 'tool_choice', problem: 'names no tool of the request' })
  return {
    tools: offered.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: names ? 'required' : toolChoice,
    parallel_tool_calls: parallelToolCalls,
  }
}

/** llama-server takes `json_object` without a schema for any text. */
const encodeFormat = (format: ResponseFormat | undefined, kind: ServerKind): WireBody | undefined => {
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object')
    return { type: 'json_object', schema: kind === 'llama-server' ? { type: 'object' } : undefined }
  const { schema, strict } = format
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict } }
}
