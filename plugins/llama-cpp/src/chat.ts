import { failure } from '@sallyport/core'
import type { Call, ChatCapability, ChatChunk, ChatRequest } from '@sallyport/core'
import type { Engine } from './engine/engine.js'
import { generate } from './generate.js'
import type { ChatPrompt } from './template/chat-prompt.js'

/** Conversations, put into the model's form by its own template. */
export class LlamaCppChat implements ChatCapability {
  constructor(
    private readonly engine: Engine,
    private readonly prompt: ChatPrompt,
  ) {}

  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    refuseUnsupported(request)
    yield* generate(this.engine, await this.prompt.tokens(request.messages, call.signal), request, call)
  }
}

const refuseUnsupported = ({ messages, tools, toolChoice, responseFormat }: ChatRequest): void => {
  if (tools?.length && toolChoice !== 'none') {
    throw failure('unsupported', { field: 'tools', problem: 'this model does not call functions' })
  }
  if (responseFormat && responseFormat.type !== 'text') {
    throw failure('unsupported', { field: 'response_format', problem: 'this model answers with plain text only' })
  }
  messages.forEach(({ content }, index) => {
    if (typeof content !== 'string' && content.some(({ type }) => type === 'image')) {
      throw failure('unsupported', { field: `messages[${index}].content`, problem: 'this model does not take images' })
    }
  })
}
