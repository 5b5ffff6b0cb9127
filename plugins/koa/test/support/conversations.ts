/** Chat models that go through a conversation step by step, and tools for it. */

import { failure } from '@sallyport/core'
import type { ChatChunk, ChatRequest, RequestedServer, ToolCallRequest } from '@sallyport/core'
import { play } from './models.js'
import type { TestModel } from './kernel.js'

export const usage = { promptTokens: 5, cachedTokens: 2, completionTokens: 3 }

export const saying = (...deltas: string[]): ChatChunk[] => [
  ...deltas.map((delta) => ({ delta })),
  { finish: 'stop', usage },
]

/** One piece of arguments for each text. */
export const callingTool = (name: string, ...pieces: string[]): ChatChunk[] => [
  ...pieces.map((piece, at) => ({
    toolCall: { index: 0, ...(at === 0 ? { id: `call_${name}`, name } : {}), arguments: piece },
  })),
  { finish: 'tool_calls', usage },
]

/** Says one step after the other: what it has said since the user spoke tells which. */
export const stepper = (
  id: string,
  ...steps: readonly ChatChunk[][]
): { readonly model: TestModel; readonly requests: ChatRequest[] } => {
  const requests: ChatRequest[] = []
  const model: TestModel = {
    id,
    features: { tools: true },
    services: {
      chat: {
        stream: (request, call) => {
          requests.push(structuredClone(request))
          const { messages } = request
          const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
          const said = turn.filter(({ role }) => role === 'assistant').length
          return play(steps[Math.min(said, steps.length - 1)] ?? [], call)
        },
      },
    },
  }
  return { model, requests }
}

/** A tool server `town` with the tools `weather` and `mayor`, and whatever is asked for under an https address. */
export const town = (): {
  readonly model: TestModel
  readonly calls: ToolCallRequest[]
  readonly requested: RequestedServer[]
} => {
  const calls: ToolCallRequest[] = []
  const asked: RequestedServer[] = []
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  const tools = [
    { name: 'weather', description: 'The weather of a city.', parameters },
    { name: 'mayor', parameters },
  ]
  const server = { label: 'town', description: 'About towns.', ownedBy: 'the town', created: 1700000000, tools }
  const model: TestModel = {
    id: 'town-hall',
    services: {
      tools: {
        list: ({ server: label, requested }: { server?: string; requested?: RequestedServer }) => {
          if (requested) {
            asked.push(requested)
            if (!requested.url.startsWith('https:'))
              throw failure('unsupported', { problem: 'only https addresses are allowed' })
            if (requested.headers?.some(({ name }) => name === 'host'))
              throw failure('invalid_request', { field: 'requested.headers', problem: 'must not name the host' })
            return Promise.resolve({ servers: [{ ...server, label: requested.label }] })
          }
          if (label !== undefined && label !== 'town')
            throw failure('unsupported', { problem: `there is no server ${label}` })
          return Promise.resolve({ servers: [server] })
        },
        call: (request: ToolCallRequest) => {
          calls.push(request)
          if (request.name === 'mayor') return Promise.resolve({ output: 'the town has none', error: true })
          return Promise.resolve({ output: `sunny in ${(request.arguments as { city: string }).city}` })
        },
      },
    },
  }
  return { model, calls, requested: asked }
}
