/**
 * A backend of one's own, in one file. Nothing of Sallyport's repository is edited: a configuration names this file,
 * and its model has routes, guards, `n`, time-outs and the unstreamed call.
 *
 *     plugins: ['@sallyport/koa', ./shout.ts]
 */
import { chat, definePlugin, inject, injectable, lastText, options } from '@sallyport/core'
import type { Call, ChatCapability, ChatRequest } from '@sallyport/core'

interface ShoutOptions {
  suffix: string
}

@injectable()
class ShoutChat implements ChatCapability {
  constructor(@inject(options) private readonly options: ShoutOptions) {}

  async *stream({ messages }: ChatRequest, { signal }: Call) {
    for (const word of lastText(messages).split(/(?<=\s)/)) {
      await Promise.resolve()
      signal.throwIfAborted()
      yield { delta: word.toUpperCase() }
    }
    yield { delta: this.options.suffix }
    yield { finish: 'stop' as const }
  }
}

export default definePlugin({
  name: 'shout',
  options: { type: 'object', properties: { suffix: { type: 'string', default: '!' } } },
  models: { 'shout-1': { capability: chat, class: ShoutChat, contextLength: 4096 } },
})
