import type { ChatMessage, ContentPart, ToolCall } from '@sallyport/core'
import { refuseManyImages } from '../../body/images.js'
import type { ReadImage } from '../../body/images.js'
import type { messages as messagesSchema } from '../../schemas/messages.js'
import type { BodyOf } from '../../schemas/schema.js'
import { omitUndefined } from '../generation.js'
import { invalidField } from '../../invalid-field.js'

type MessageBody = Exclude<BodyOf<typeof messagesSchema>, string>[number]
type ContentBody = NonNullable<MessageBody['content']>
type PartBody = Exclude<ContentBody, string>[number]

/** @throws invalid_request */
export const toMessages = (messages: string | MessageBody[], maxImages: number, read: ReadImage): ChatMessage[] => {
  if (typeof messages === 'string') return [{ role: 'user', content: messages }]
  refuseManyImages(countImages(messages), maxImages, 'messages')
  return messages.map((message, index) => toMessage(message, `messages[${index}]`, read))
}

const countImages = (messages: readonly MessageBody[]): number =>
  messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type }) => type === 'image_url')
    .length

const roles = { developer: 'system', function: 'tool' } as const

const toMessage = (message: MessageBody, path: string, read: ReadImage): ChatMessage => {
  const { role, content, tool_calls: calls } = message
  const isCall = role === 'assistant' && calls !== undefined && calls.length > 0
  if (content === undefined && !isCall)
    throw invalidField(`${path}.content`, 'is required: give a string or a non-empty array of parts')
  return {
    role: role === 'developer' || role === 'function' ? roles[role] : role,
    content: toContent(content ?? '', `${path}.content`, read),
    ...omitUndefined({
      toolCalls: isCall ? calls.map(toToolCall) : undefined,
      toolCallId: toolCallId(message, path),
      reasoning: message.reasoning,
    }),
  }
}

/** Messages of the older role `function` name the function instead of a call. */
const toolCallId = ({ role, name, tool_call_id: id }: MessageBody, path: string): string | undefined => {
  if (role === 'function') return id ?? name
  if (role !== 'tool') return undefined
  if (id !== undefined) return id
  throw invalidField(`${path}.tool_call_id`, 'is required: give the id of the tool call that this message answers')
}

const toToolCall = ({ id, function: called }: { id: string; function: Omit<ToolCall, 'id'> }): ToolCall => ({
  id,
  name: called.name,
  arguments: called.arguments,
})

const toContent = (content: ContentBody, path: string, read: ReadImage): string | ContentPart[] =>
  typeof content === 'string' ? content : content.map((part, index) => toPart(part, `${path}[${index}]`, read))

const toPart = ({ type, text, image_url: image }: PartBody, path: string, read: ReadImage): ContentPart => {
  if (type === 'text') {
    if (text === undefined) throw invalidField(`${path}.text`, 'is required: give a string')
    return { type, text }
  }
  if (image === undefined) throw invalidField(`${path}.image_url`, 'is required: give an object {url}')
  if (typeof image === 'string') return { type: 'image', ...read(image, `${path}.image_url`) }
  const decoded = read(image.url, `${path}.image_url.url`)
  return { type: 'image', ...decoded, ...omitUndefined({ detail: image.detail }) }
}
