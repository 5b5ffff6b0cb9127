/**
 * A backend of one's own, in one file. Nothing of Sallyport's repository is edited: a configuration names this file,
 * and its model has routes, guards, `n`, time-outs and the unstreamed call.
 *
 *     plugins: ['@sallyport/koa', { use: ./shout.ts, options: { suffix: '!!' } }]
 */
import { chat, definePlugin, failure, inject, injectable, options } from '@sallyport/core'
import type { Call, ChatCapability, ChatRequest } from '@sallyport/core'
import { lastText, StopGate, textOf } from '@sallyport/kit/generation'

interface ShoutOptions {
  suffix: string
}

const contextLength = 4096
const wordsOf = (text: string) => text.match(/\s*\S+\s*/g) ?? []

@injectable()
class ShoutChat implements ChatCapability {
  constructor(@inject(options) private readonly options: ShoutOptions) {}

  async *stream(request: ChatRequest, { signal }: Call) {
    refuseUnsupported(request)
    const { messages, maxTokens = Infinity, stop = [] } = request
    const promptTokens = messages.flatMap((message) => wordsOf(textOf(message))).length
    if (promptTokens > contextLength) throw failure('context_exceeded', { tokens: promptTokens, limit: contextLength })
    const words = wordsOf(lastText(messages) + this.options.suffix)
    const gate = new StopGate(stop)
    let completionTokens = 0
    for (const word of words.slice(0, maxTokens)) {
      await Promise.resolve()
      signal.throwIfAborted()
      completionTokens += 1
      yield { delta: gate.push(word.toUpperCase()) }
      if (gate.stopSequence !== undefined) break
    }
    yield { delta: gate.flush() }
    const finish = gate.stopSequence === undefined && words.length > completionTokens ? 'length' : 'stop'
    yield { finish, usage: { promptTokens, completionTokens } } as const
  }
}

/** What a model cannot do it refuses: nobody then waits for what does not come. */
const refuseUnsupported = ({ messages, toolChoice = 'auto', responseFormat }: ChatRequest) => {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const otherFormat = responseFormat !== undefined && responseFormat.type !== 'text'
  if (otherFormat || parts.some(({ type }) => type === 'image') || !['auto', 'none'].includes(toolChoice as string))
    throw failure('unsupported', { problem: 'this model repeats text: it takes no images, tools or formats' })
}

export default definePlugin({
  name: 'shout',
  options: { type: 'object', properties: { suffix: { type: 'string', default: '!' } } },
  models: { 'shout-1': { capability: chat, class: ShoutChat, contextLength } },
})
