/** Converts the body of a request for a response to the kernel's ChatRequest, and to the echoed fields. */

import type { ChatRequest, ResponseFormat, ToolChoice } from '@sallyport/core'
import { refuseManyImages } from '../../body/images.js'
import type { ReadImage } from '../../body/images.js'
import type { RequestEcho } from '../../dialects/responses/resource.js'
import { omitUndefined } from '../generation.js'
import type { ItemBody } from './item-schemas.js'
import type { ResponseBody, TextFormatBody } from './schemas.js'
import type { ResponseToolBody } from './tool-schemas.js'
import { countImages } from './content.js'
import { Conversation } from './items.js'
import type { FindItem } from './items.js'
import { invalidField } from '../../invalid-field.js'

/** The stored items that a request can refer to. */
export interface EarlierResponses {
  /** The items of the conversation that the request continues. */
  readonly items: readonly ItemBody[]
  readonly find: FindItem
}

/** A string is one message of the user. */
export const itemsOf = ({ input }: ResponseBody): ItemBody[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input

/** @throws invalid_request */
export const toConversation = (
  body: ResponseBody,
  earlier: EarlierResponses,
  maxImages: number,
  read: ReadImage,
): Conversation => {
  const items = itemsOf(body)
  refuseManyImages(
    [...earlier.items, ...items].reduce((sum, { content }) => sum + countImages(content), 0),
    maxImages,
    'input',
  )
  const conversation = new Conversation(read, earlier.find)
  if (body.instructions) conversation.push({ role: 'system', content: body.instructions }, 'instructions')
  for (const item of earlier.items) conversation.add(item, 'previous_response_id')
  if (typeof body.input === 'string') conversation.push({ role: 'user', content: body.input }, 'input')
  else for (const [index, item] of items.entries()) conversation.add(item, `input[${index}]`)
  conversation.flush()
  return conversation
}

export const toChatRequest = (
  body: ResponseBody,
  { messages }: Conversation,
  toolChoice: ToolChoice | undefined,
): Omit<ChatRequest, 'tools' | 'n'> => ({
  messages,
  ...omitUndefined({
    temperature: body.temperature,
    topP: body.top_p,
    maxTokens: body.max_output_tokens,
    reasoningEffort: body.reasoning?.effort,
    parallelToolCalls: body.parallel_tool_calls,
    responseFormat: body.text?.format && toResponseFormat(body.text.format),
    toolChoice,
  }),
})

const toResponseFormat = ({ type, schema, strict = false }: TextFormatBody): ResponseFormat => {
  if (type !== 'json_schema') return { type }
  if (schema === undefined)
    throw invalidField('text.format.schema', 'is required for the type "json_schema": give a JSON Schema')
  return { type, schema, strict }
}

/**
 * @param replaced whether a safeguard replaced anything in the input: then no text of the request is echoed, because
 * the body still has the original
 */
export const echoOf = (body: ResponseBody, replaced: boolean): RequestEcho =>
  omitUndefined({
    instructions: replaced ? undefined : body.instructions,
    max_output_tokens: body.max_output_tokens,
    max_tool_calls: body.max_tool_calls,
    parallel_tool_calls: body.parallel_tool_calls,
    temperature: body.temperature,
    top_p: body.top_p,
    tool_choice: replaced && typeof body.tool_choice === 'object' ? undefined : body.tool_choice,
    tools: replaced || body.tools === undefined ? undefined : [body.tools].flat().map(echoedTool),
    text: body.text?.format && { format: replaced ? { type: body.text.format.type } : echoedFormat(body.text.format) },
    reasoning: body.reasoning?.effort === undefined ? undefined : { effort: body.reasoning.effort },
    metadata: body.metadata,
    previous_response_id: body.previous_response_id,
  })

/** Credentials are never echoed, and URLs may hold some. */
const echoedTool = (tool: ResponseToolBody): object => {
  const { type, name, description, parameters, strict, server_label, server_url, server_description } = tool
  if (type === 'function') return { type, name, ...omitUndefined({ description, parameters, strict: strict ?? false }) }
  const allowed_tools = tool.allowed_tools
  const url = server_url === undefined ? undefined : withoutSecrets(server_url)
  const echoed = omitUndefined({ server_url: url, server_description, allowed_tools, initials: tool.initials })
  return { type, server_label, ...echoed, require_approval: 'never' }
}

const withoutSecrets = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

const echoedFormat = ({ type, name, schema, strict }: TextFormatBody): object =>
  type === 'json_schema' ? { type, ...omitUndefined({ name, schema, strict }) } : { type }
