import { chat } from '@sallyport/core'
import { inputAndOutputFields } from '../../safeguards/placement.js'
import { chatCompletion, chatEvents } from '../../dialects/chat.js'
import { events, json } from '../answer.js'
import type { Answer } from '../answer.js'
import type { Exchange } from '../exchange.js'
import { post } from '../body-routes.js'
import { modelIdsRoute } from '../route.js'
import type { Route } from '../route.js'
import { chatFields, toolFieldInBody, toChatRequest } from './request.js'
import { chatChunk, chatRequest, chatResponse } from './schemas.js'
import type { ChatBody } from './schemas.js'

const handle = async (body: ChatBody, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(chat, body.model)
  const { dialect, options } = exchange.context
  const request = await exchange.withImages(chat, descriptor, 'messages', (read) =>
    toChatRequest(body, options.limits.images, read),
  )
  const { wireField } = exchange
  exchange.wireField = (field) => wireField(toolFieldInBody(field, body))
  const call = exchange.callOptions()
  const envelope = exchange.envelope('chat', body.stream ? 'chat.completion.chunk' : 'chat.completion', descriptor.id)
  if (!body.stream) return json(chatCompletion(await service.generate(request, call), envelope))
  const { n: choices = 1, stream_options: { include_usage: includeUsage = false } = {} } = body
  const streamOptions = { includeUsage, choices, perPrompt: choices }
  return events((lastEventFields) =>
    chatEvents(dialect.name, service.stream(request, call), envelope, { ...streamOptions, lastEventFields }),
  )
}

export const chatRoutes: readonly Route[] = [
  post({
    path: '/chat/completions',
    capability: chat.name,
    tag: 'Generation',
    summary: 'Answer a conversation',
    request: chatRequest,
    response: chatResponse,
    chunk: chatChunk,
    safeguards: inputAndOutputFields,
    fields: chatFields,
    handle,
  }),
  modelIdsRoute('/chat/completions', chat),
]
