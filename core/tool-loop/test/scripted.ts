/** A chat model and tools that do what a script says. */

import type {
  CallOptions,
  ChatCapability,
  ChatChunk,
  ChatRequest,
  FinishReason,
  Served,
  ToolCallRequest,
  ToolCallResult,
  ToolsCapability,
} from '@sallyport/core'
import { ToolOffer } from '../src/offer.js'
import type { RemoteServer } from '../src/offer.js'
import { runToolLoop } from '../src/loop.js'
import type { ToolLoop } from '../src/loop.js'
import type { ToolLoopEvent } from '../src/events.js'

export interface ScriptedCall {
  readonly name: string
  readonly arguments?: string
  readonly id?: string
}

/** What the model says in one step. */
export interface ScriptedStep {
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
  readonly finish?: FinishReason
  readonly tokens?: number
  readonly error?: Error
}

export const calling = (...names: string[]): ScriptedStep => ({ calls: names.map((name) => ({ name })) })

/** Says one step after the other, the last one for ever; keeps what it was asked. */
export const scriptedChat = (steps: readonly ScriptedStep[]) => {
  const requests: ChatRequest[] = []
  let running = 0
  const stream: Served<ChatCapability>['stream'] = async function* (request, options = {}) {
    running += 1
    try {
      const step = steps[Math.min(requests.length, steps.length - 1)] ?? {}
      requests.push(structuredClone(request))
      if (step.error) throw step.error
      for (const piece of piecesOf(step)) {
        await Promise.resolve()
        options.signal?.throwIfAborted()
        yield piece
      }
    } finally {
      running -= 1
    }
  }
  return { chat: { stream }, requests, running: () => running }
}

export function* piecesOf({ text = '', calls = [], finish, tokens = 1 }: ScriptedStep): Generator<ChatChunk> {
  for (const delta of text) yield { delta }
  for (const [index, { name, arguments: given = '{}', id = `call_${index}` }] of calls.entries()) {
    yield { toolCall: { index, id, name, arguments: given.slice(0, 1) } }
    if (given.length > 1) yield { toolCall: { index, arguments: given.slice(1) } }
  }
  const usage = { promptTokens: 10, cachedTokens: 2, completionTokens: tokens }
  yield { finish: finish ?? (calls.length ? 'tool_calls' : 'stop'), usage }
}

export type Run = (request: ToolCallRequest, options: CallOptions) => Promise<ToolCallResult>

/** Tools of one server; keeps what it was called with, and how many ran at once. */
export const scriptedServer = (runs: Readonly<Record<string, Run>>, label = 'server') => {
  const calls: ToolCallRequest[] = []
  const load = { now: 0, most: 0 }
  const tools: Served<ToolsCapability> = {
    list: () => Promise.resolve({ servers: [] }),
    call: async (request, options = {}) => {
      calls.push(request)
      load.now += 1
      load.most = Math.max(load.most, load.now)
      try {
        await Promise.resolve()
        const run = runs[request.name]
        if (!run) throw new Error('the script has no such tool')
        return await run(request, options)
      } finally {
        load.now -= 1
      }
    },
  }
  const listed = Object.keys(runs).map((name) => ({ name, parameters: { type: 'object' } }))
  const server: RemoteServer = { server: { label, tools: listed }, tools }
  return { server, calls, load }
}

export const answering =
  (output: string): Run =>
  () =>
    Promise.resolve({ output })

/** Never answers, until it is aborted. */
export const hanging: Run = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })

type LoopInput = Partial<Omit<ToolLoop, 'chat' | 'offer'>> & {
  readonly functions?: readonly string[]
  readonly servers?: readonly RemoteServer[]
}

export const loopOf = (
  chat: ToolLoop['chat'],
  { functions = [], servers = [], request, ...rest }: LoopInput,
  options?: CallOptions,
): AsyncGenerator<ToolLoopEvent> => {
  const offer = new ToolOffer(
    functions.map((name) => ({ name })),
    servers,
  )
  const messages = [{ role: 'user' as const, content: 'go' }]
  return runToolLoop({ chat, offer, request: { messages, ...request }, ...rest }, options)
}

export const collected = async (loop: AsyncIterable<ToolLoopEvent>): Promise<ToolLoopEvent[]> => {
  const events: ToolLoopEvent[] = []
  for await (const event of loop) events.push(event)
  return events
}

export type EventOf<Type extends ToolLoopEvent['type']> = Extract<ToolLoopEvent, { type: Type }>

export const eventsOf = <Type extends ToolLoopEvent['type']>(events: readonly ToolLoopEvent[], type: Type) =>
  events.filter((event): event is EventOf<Type> => event.type === type)

export const endOf = (events: readonly ToolLoopEvent[]): EventOf<'end'> => {
  const [end, ...others] = eventsOf(events, 'end')
  if (!end || others.length || events.at(-1) !== end) throw new Error('there must be one end, and it must be the last')
  return end
}
