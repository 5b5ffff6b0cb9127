/** A chat model that says what it is told to, for tests of what stands around models. */

import { injectable } from 'tsyringe'
import { chat, definePlugin } from '@sallyport/core'
import type { ChatCapability, ChatRequest } from '@sallyport/core'
import { textOf } from '@sallyport/kit/generation'

@injectable()
class Script implements ChatCapability {
  async *stream({ messages }: ChatRequest) {
    for (const delta of JSON.parse(messages.map(textOf).join('')) as string[]) {
      await Promise.resolve()
      yield { delta }
    }
    yield { finish: 'stop' as const }
  }
}

/** Brings the model `script`, which says the pieces of a {@link scriptRequest}. */
export const script = definePlugin({ name: 'script', models: { script: { capability: chat, class: Script } } })

/** Has the model `script` say these pieces. */
export const scriptRequest = (pieces: readonly string[]): ChatRequest => ({
  messages: [{ role: 'user', content: JSON.stringify(pieces) }],
})

/** The text in pieces of these sizes in UTF-16 units, in turn. */
export const chunked = (text: string, sizes: readonly number[]): string[] => {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}
