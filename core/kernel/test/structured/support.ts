import { isSallyportError } from '@sallyport/core'
import type { ChatCapability, ChatChunk, ChatRequest } from '@sallyport/core'
import { collect } from '@sallyport/kit/generation'
import { SchemaChecker } from '@sallyport/kit/schemas'
import { testCall } from '@sallyport/testing'
import { structuredChat } from '../../src/structured/structured-chat.js'

export const messages: ChatRequest['messages'] = [{ role: 'user', content: 'hi' }]

/** One thread for all tests of a file. */
export const sharedChecker = (): { readonly current: SchemaChecker } => {
  const shared = { current: new SchemaChecker() }
  after(() => shared.current.stop())
  return shared
}

const saying = (chunks: readonly ChatChunk[]): ChatCapability => ({
  async *stream() {
    for (const chunk of chunks) yield await Promise.resolve(chunk)
  },
})

export const text = (said: string): ChatChunk[] => [{ delta: said }, { finish: 'stop' }]

export const calling = (...calls: readonly [name: string, said: string][]): ChatChunk[] => [
  ...calls.map(([name, said], index): ChatChunk => ({
    toolCall: { index, id: `call-${index}`, name, arguments: said },
  })),
  { finish: 'tool_calls' },
]

export const bySchema = (schema: unknown, strict = true): Partial<ChatRequest> => ({
  responseFormat: { type: 'json_schema', schema, strict },
})

type Guarded = (service: ChatCapability) => ChatCapability

/** What comes of a request, and what has left before. */
export const outcomeOf = async (
  checker: SchemaChecker,
  request: Partial<ChatRequest>,
  chunks: readonly ChatChunk[],
  guarded: Guarded = (service) => service,
) => {
  const left: ChatChunk[] = []
  const service = structuredChat(saying(chunks), guarded, checker, 'pii detected')
  try {
    for await (const chunk of service.stream({ messages, ...request }, testCall())) left.push(chunk)
    return { left }
  } catch (error) {
    return { left, error: messageOf(error) }
  }
}

/** As the unstreamed call has it. */
export const collectedOutcome = async (
  checker: SchemaChecker,
  request: Partial<ChatRequest>,
  chunks: readonly ChatChunk[],
) => {
  const service = structuredChat(saying(chunks), (one) => one, checker)
  try {
    return { result: await collect(service.stream({ messages, ...request }, testCall())) }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

const messageOf = (error: unknown): string =>
  isSallyportError(error) ? `${error.code}: ${error.message}` : String(error)
