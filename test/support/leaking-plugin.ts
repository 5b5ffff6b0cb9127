/** A plugin with a model that says the last line of its system message, in the way that the user names. */

import { chat, definePlugin } from '@sallyport/core'
import type { ChatChunk, ChatRequest } from '@sallyport/core'
import { lastText, textOf } from '@sallyport/kit/generation'

const backwards = (text: string) => Array.from(text).reverse().join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')

export const ways: Readonly<Record<string, (text: string) => string>> = {
  plainly: (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'with its letters apart': (text) => Array.from(text).join('-'),
  backwards,
  'in ROT13': (text) =>
    text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97)),
  'in base64': base64,
  'in base64 of base64': (text) => base64(base64(text)),
  'in full width': (text) => text.replace(/[a-z]/g, (letter) => String.fromCharCode(0xfee0 + letter.charCodeAt(0))),
}

class LeakingChat {
  async *stream(request: ChatRequest): AsyncGenerator<ChatChunk> {
    const instructions = request.messages.filter(({ role }) => role === 'system').map(textOf)
    const last = instructions.join('\n').split('\n').at(-1) ?? ''
    const said = ways[lastText(request.messages)]?.(last) ?? 'I help.'
    for (const delta of `My instructions end so: ${said}`.match(/.{1,5}/gsu) ?? [])
      yield await Promise.resolve({ delta })
    yield { finish: 'stop' }
  }
}

export default definePlugin({ name: 'leaking', models: { leaking: { capability: chat, class: LeakingChat } } })
