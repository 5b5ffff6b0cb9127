import { randomUUID } from 'node:crypto'
import { inject, injectable } from 'tsyringe'
import { failure, options } from '@sallyport/core'
import type { Call, ChatCapability, ChatChunk, ChatMessage, ChatRequest, FunctionTool } from '@sallyport/core'
import { lastText, textOf } from '@sallyport/kit/generation'
import { exampleOf } from './example-of.js'
import { pause } from './backend.js'
import type { ReferenceOptions } from './backend.js'
import { seededRandom, countPrompt, streamWords, wordsOf } from './words.js'

/**
 * Repeats the last message word by word. With a `seed` and a `temperature` above 0 it begins at a word that the seed
 * chooses. It calls a tool when that is required, reasons when that is requested, and answers by a schema.
 */
@injectable()
export class EchoChat implements ChatCapability {
  static readonly contextLength = 4096

  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    call.signal.throwIfAborted()
    refuseImages(request.messages)
    const { contextLength } = EchoChat
    const promptTokens = countPrompt(request.messages.map(textOf).join('\n'), contextLength)
    const tool = requiredTool(request)
    if (tool) {
      yield* this.callTool(tool, request, call, promptTokens)
      return
    }

    const thoughts = request.reasoningEffort
      ? [' The', ' answer', ' is', ' what', ' was', ' said.'].slice(0, request.maxTokens)
      : []
    for (const reasoning of thoughts) {
      await pause(this.options, call)
      yield { reasoning }
    }
    const speech = { words: answer(request), promptTokens, contextLength, reasoningTokens: thoughts.length }
    yield* streamWords(speech, request, call, this.options)
  }

  private async *callTool(
    tool: FunctionTool,
    { messages, maxTokens = Infinity }: ChatRequest,
    call: Call,
    promptTokens: number,
  ): AsyncGenerator<ChatChunk> {
    const text = JSON.stringify(exampleOf(tool.parameters ?? {}, lastText(messages)))
    const words = wordsOf(text)
    const head = { id: `call-${randomUUID()}`, name: tool.name }
    const said = words.slice(0, maxTokens)
    for (const [position, word] of said.entries()) {
      await pause(this.options, call)
      yield { toolCall: { index: 0, ...(position === 0 ? head : {}), arguments: word } }
    }
    const finish = said.length < words.length ? 'length' : 'tool_calls'
    yield { finish, usage: { promptTokens, completionTokens: said.length } }
  }
}

const refuseImages = (messages: readonly ChatMessage[]): void => {
  for (const { content } of messages)
    if (typeof content !== 'string' && content.some(({ type }) => type === 'image'))
      throw failure('unsupported', { field: 'messages', problem: 'this model takes no images: send text only' })
}

const requiredTool = ({ tools = [], toolChoice = 'auto' }: ChatRequest): FunctionTool | undefined => {
  if (toolChoice === 'none' || toolChoice === 'auto') return undefined
  return tools.find(({ name }) => toolChoice === 'required' || toolChoice.names.includes(name))
}

const answer = ({ messages, responseFormat, seed, temperature = 0 }: ChatRequest): string[] => {
  const text = lastText(messages)
  if (responseFormat?.type === 'json_object') return wordsOf(JSON.stringify({ echo: text }))
  if (responseFormat?.type === 'json_schema') return wordsOf(JSON.stringify(exampleOf(responseFormat.schema, text)))
  const words = wordsOf(text)
  const start = seed !== undefined && temperature > 0 ? Math.floor(seededRandom(seed) * words.length) : 0
  return [...words.slice(start), ...words.slice(0, start)]
}
