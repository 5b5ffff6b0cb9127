import { failure } from '@sallyport/core'
import type { ChatMessage, ContentPart, ToolCall } from '@sallyport/core'
import { refuseManyPictures } from '../../body/images.js'
import type { ReadPicture } from '../../body/request-pictures.js'
import { defined } from '../generation.js'

export interface MessageBody {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function'
  content?: string | PartBody[]
  name?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
  reasoning?: string
}

interface PartBody {
  type: 'text' | 'image_url'
  text?: string
  image_url?: string | { url: string; detail?: 'auto' | 'low' | 'high' }
}

/** @throws invalid_request */
export const toMessages = (messages: string | MessageBody[], mostImages: number, read: ReadPicture): ChatMessage[] => {
  if (typeof messages === 'string') return [{ role: 'user', content: messages }]
  refuseManyPictures(picturesIn(messages), mostImages, 'messages')
  return messages.map((message, index) => toMessage(message, `messages[${index}]`, read))
}

const picturesIn = (messages: readonly MessageBody[]): number =>
  messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type }) => type === 'image_url')
    .length

const roles = { developer: 'system', function: 'tool' } as const

const toMessage = (message: MessageBody, path: string, read: ReadPicture): ChatMessage => {
  const { role, content, tool_calls: calls } = message
  const isCall = role === 'assistant' && calls !== undefined && calls.length > 0
  if (content === undefined && !isCall)
    throw failure('invalid_request', {
      field: `${path}.content`,
      problem: 'is required: give a string or a non-empty array of parts',
    })
  return {
    role: role === 'developer' || role === 'function' ? roles[role] : role,
    content: toContent(content ?? '', `${path}.content`, read),
    ...defined({
      toolCalls: isCall ? calls.map(toToolCall) : undefined,
      toolCallId: toolCallId(message, path),
      reasoning: message.reasoning,
    }),
  }
}

/** Messages of the older role `function` are told apart by the name of the function only. */
const toolCallId = ({ role, name, tool_call_id: id }: MessageBody, path: string): string | undefined => {
  if (role === 'function') return id ?? name
  if (role !== 'tool') return undefined
  if (id !== undefined) return id
  throw failure('invalid_request', {
    field: `${path}.tool_call_id`,
    problem: 'is required: give the id of the tool call that this message answers',
  })
}

const toToolCall = ({ id, function: called }: { id: string; function: Omit<ToolCall, 'id'> }): ToolCall => ({
  id,
  name: called.name,
  arguments: called.arguments,
})

const toContent = (content: string | PartBody[], path: string, read: ReadPicture): string | ContentPart[] =>
  typeof content === 'string' ? content : content.map((part, index) => toPart(part, `${path}[${index}]`, read))

const toPart = ({ type, text, image_url: image }: PartBody, path: string, read: ReadPicture): ContentPart => {
  if (type === 'text') {
    if (text === undefined)
      throw failure('invalid_request', { field: `${path}.text`, problem: 'is required: give a string' })
    return { type, text }
  }
  if (image === undefined)
    throw failure('invalid_request', { field: `${path}.image_url`, problem: 'is required: give an object {url}' })
  if (typeof image === 'string') return { type: 'image', ...read(image, `${path}.image_url`) }
  const picture = read(image.url, `${path}.image_url.url`)
  return { type: 'image', ...picture, ...defined({ detail: image.detail }) }
}

/** Whether the messages hold a picture. */
export const hasImage = (messages: readonly ChatMessage[]): boolean =>
  messages.some(({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'))
