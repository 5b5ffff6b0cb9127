import { chat } from '@sallyport/core'
import type { ChatCapability, ChatChunk, ChatMessage, ChatRequest } from '@sallyport/core'
import { lastText } from '@sallyport/kit/generation'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import type { Wrap } from '../plant.js'
import { chatToolFaults } from './chat-tools.js'
import { generationFaults } from './generation.js'
import { asked, refusing, said, saidAtOnce } from './streams.js'

const withoutPictures = ({ content, ...message }: ChatMessage): ChatMessage => ({
  ...message,
  content: typeof content === 'string' ? content : content.filter(({ type }) => type === 'text'),
})

/** Takes images and does not look at them. */
const blind: Wrap<ChatCapability> = asked((request) => ({
  ...request,
  messages: request.messages.map(withoutPictures),
}))

const { create, facts } = references.chat

export const chatFaults = plant<ChatCapability>({
  capability: chat,
  create,
  facts,
  faults: {
    ...generationFaults<ChatRequest>({
      read: ({ messages }) => lastText(messages),
      write: (request, content) => ({ ...request, messages: [{ role: 'user', content }] }),
    }),
    ...chatToolFaults,
    'a text part reads like plain text': asked((request) => ({
      ...request,
      messages: request.messages.map((message) => ({
        ...message,
        content: typeof message.content === 'string' ? message.content : JSON.stringify(message.content),
      })),
    })),
    'a conversation is answered': refusing(({ messages }) => messages.some(({ role }) => role === 'system')),
    'an image is refused with unsupported by a model without vision': blind,
    'an image is taken by a model with vision': {
      facts: { ...facts, features: { image: true } },
      sound: blind,
      faulty: (sound) => sound,
    },
    'reasoning comes before the text': saidAtOnce((chunks) => [
      ...chunks.filter((chunk) => !('reasoning' in chunk || 'finish' in chunk)),
      ...chunks.filter((chunk) => 'reasoning' in chunk || 'finish' in chunk),
    ]),
    'json_object answers with JSON, or is refused with unsupported': said((chunk, _, position): ChatChunk[] =>
      position === 0 ? [{ delta: 'Here it is: ' }, chunk] : [chunk],
    ),
    'json_schema answers by the schema, or is refused with unsupported': asked((request) => ({
      ...request,
      responseFormat: { type: 'json_object' },
    })),
  },
})
