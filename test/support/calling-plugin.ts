/** A chat model that calls the tool `echo` with what the user says, and then says what the tool has said. */

import { chat, definePlugin, injectable } from '@sallyport/core'
import type { ChatCapability, ChatChunk, ChatRequest } from '@sallyport/core'
import { lastText } from '@sallyport/kit/generation'

@injectable()
class CallingChat implements ChatCapability {
  async *stream({ messages, tools }: ChatRequest): AsyncGenerator<ChatChunk> {
    await Promise.resolve()
    const text = lastText(messages)
    if (messages.at(-1)?.role === 'tool' || !tools?.length) {
      yield { delta: text }
      yield { finish: 'stop' }
    } else {
      yield { toolCall: { index: 0, id: 'call_0', name: 'echo', arguments: JSON.stringify({ message: text }) } }
      yield { finish: 'tool_calls' }
    }
  }
}

export default definePlugin({
  name: 'calling',
  models: { caller: { capability: chat, class: CallingChat, features: { tools: true } } },
})
