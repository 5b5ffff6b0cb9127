/** Converts the body of a chat request to the kernel's ChatRequest. */

import type { ChatRequest, ResponseFormat } from '@sallyport/core'
import type { ReadImage } from '../../body/images.js'
import type { responseFormat } from '../../schemas/messages.js'
import type { BodyOf, JsonObject } from '../../schemas/schema.js'
import type { FieldNames } from '../../body/wire-path.js'
import { omitUndefined, generationFields, generationOptions } from '../generation.js'
import { toMessages } from './messages.js'
import type { ChatBody } from './schemas.js'
import { allowedToolPositions, namesField, toToolChoice, toTools } from './tools.js'
import { invalidField } from '../../invalid-field.js'

/** The fields of the body that {@link toChatRequest} reads, by the kernel's names. */
export const chatFields = (body: JsonObject): FieldNames => ({
  ...fields,
  'toolChoice.names[]': namesField(body['tool_choice']),
})

const fields: FieldNames = {
  ...generationFields,
  'messages[].content[].image': 'messages[].content[].image_url.url',
  'messages[].toolCalls': 'messages[].tool_calls',
  'messages[].toolCalls[].name': 'messages[].tool_calls[].function.name',
  'messages[].toolCalls[].arguments': 'messages[].tool_calls[].function.arguments',
  'messages[].toolCallId': 'messages[].tool_call_id',
  'tools[].name': 'tools[].function.name',
  'tools[].description': 'tools[].function.description',
  'tools[].parameters': 'tools[].function.parameters',
  'tools[].strict': 'tools[].function.strict',
  toolChoice: 'tool_choice',
  'toolChoice.names': 'tool_choice.allowed_tools.tools',
  parallelToolCalls: 'parallel_tool_calls',
  responseFormat: 'response_format',
  'responseFormat.schema': 'response_format.json_schema.schema',
  reasoningEffort: 'reasoning_effort',
  topLogprobs: 'top_logprobs',
}

/**
 * Maps the kernel's `tools[i]`, which counts the offered tools, to the position of that tool in the body.
 * @param field the kernel's field path
 */
export const toolFieldInBody = (field: string, body: ChatBody): string => {
  const allowed = allowedToolPositions(body.tool_choice, toTools(body.tools))
  return field.replace(/^tools\[(\d+)\]/, (_, at: string) => `tools[${allowed?.[Number(at)] ?? at}]`)
}

/** @throws invalid_request */
export const toChatRequest = (body: ChatBody, maxImages: number, read: ReadImage): ChatRequest => {
  const declared = toTools(body.tools)
  const allowed = allowedToolPositions(body.tool_choice, declared)
  const tools = allowed ? declared?.filter((_, at) => allowed.includes(at)) : declared
  return {
    messages: toMessages(body.messages, maxImages, read),
    ...generationOptions({ ...body, ...omitUndefined({ max_tokens: body.max_completion_tokens }) }),
    ...omitUndefined({
      tools,
      toolChoice: toToolChoice(body.tool_choice, tools),
      parallelToolCalls: tools && body.parallel_tool_calls,
      responseFormat: body.response_format && toResponseFormat(body.response_format),
      reasoningEffort: body.reasoning_effort,
      topLogprobs: topLogprobs(body),
    }),
  }
}

const topLogprobs = ({ logprobs, top_logprobs: top }: ChatBody): number | undefined => {
  if (logprobs) return top ?? 0
  if (top === undefined) return undefined
  throw invalidField('top_logprobs', 'needs "logprobs": true beside it')
}

const toResponseFormat = ({ type, json_schema: wanted }: BodyOf<typeof responseFormat>): ResponseFormat => {
  if (type !== 'json_schema') return { type }
  const problem = 'is required for the type "json_schema": give an object {name, schema, strict}'
  if (!wanted) throw invalidField('response_format.json_schema', problem)
  return { type, schema: wanted.schema, strict: wanted.strict ?? false }
}
