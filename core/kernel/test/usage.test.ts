import { expect } from 'chai'
import { recordingLogger } from '@sallyport/testing'
import { chat, completion, definePlugin, injectable, serve, tokens } from '@sallyport/core'
import type { ChatCapability, ChatRequest, CompletionCapability, Kernel, TokensCapability } from '@sallyport/core'
import { createKernel } from '../src/create-kernel.js'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one two three' }]

@injectable()
class Speaker implements ChatCapability {
  async *stream() {
    yield { delta: 'a b' }
    yield await Promise.resolve({ finish: 'stop' as const })
  }
}

@injectable()
class Continuer implements CompletionCapability {
  async *stream() {
    yield { delta: 'a b' }
    yield await Promise.resolve({ finish: 'stop' as const })
  }
}

/** A model whose tokens are words; its tokenizer notes what it counts, or fails. */
const counting = (failing = false) => {
  const counted: string[] = []
  @injectable()
  class Words implements TokensCapability {
    tokenize({ text }: { text: string }) {
      counted.push(text)
      if (failing) return Promise.reject(new Error(`cannot count ${text}`))
      const words = text.split(' ')
      return Promise.resolve({ tokens: words.map((word, id) => ({ id, text: word, start: 0, end: 0 })) })
    }
    detokenize() {
      return Promise.resolve({ text: '' })
    }
  }
  const model = { capability: chat, class: Speaker, also: [serve(tokens, Words), serve(completion, Continuer)] }
  return { counted, plugin: definePlugin({ name: 'counting', models: { counting: model } }) }
}

describe('usage that the backend does not report', () => {
  let kernel: Kernel | undefined
  afterEach(() => kernel?.stop())

  it('is counted, the prompt once for all choices', async () => {
    const { plugin, counted } = counting()
    kernel = await createKernel({ plugins: [plugin] })
    const { usage } = await kernel.get(chat).generate({ messages, n: 3 })
    expect(usage).to.deep.equal({ promptTokens: 3, completionTokens: 6 })
    expect(counted).to.have.members(['one two three', 'a b', 'a b', 'a b'])
  })

  it('does not count the echo of a prompt as an answer', async () => {
    const { plugin } = counting()
    kernel = await createKernel({ plugins: [plugin] })
    const { usage } = await kernel.get(completion).generate({ prompt: 'one two three', echo: true, n: 2 })
    expect(usage).to.deep.equal({ promptTokens: 3, completionTokens: 4 })
  })

  it('is left out where the tokenizer fails: the answer is there, and the log says why without its text', async () => {
    const { lines, logger } = recordingLogger()
    kernel = await createKernel({ plugins: [counting(true).plugin] }, { logger })
    const { choices, usage } = await kernel.get(chat).generate({ messages }, { requestId: 'r1' })
    expect(choices.map(({ text, finish }) => [text, finish])).to.deep.equal([['a b', 'stop']])
    expect(usage).to.equal(undefined)
    const shown = lines.filter(({ level }) => level !== 'debug')
    expect(shown).to.have.length(1)
    expect(shown[0]!.fields).to.include({ requestId: 'r1', model: 'counting' })
    expect(JSON.stringify(shown)).not.to.contain('cannot count')
  })
})
