import { expect } from 'chai'
import { collectPieces } from '@sallyport/testing'
import { chat, completion, definePlugin, injectable } from '@sallyport/core'
import type { ChatCapability, ChatChunk, ChatRequest, Kernel } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import { createKernel } from '../src/create-kernel.js'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one two three' }]
const logprobs = (token: string) => [{ token, logprob: -1 }]

@injectable()
class Gappy implements ChatCapability {
  async *stream(): AsyncGenerator<ChatChunk> {
    yield { delta: '' }
    yield { reasoning: '' }
    yield { delta: '', logprobs: logprobs('a') }
    yield { delta: 'ab', logprobs: logprobs('b') }
    yield { toolCall: { index: 0, id: 'call-1', name: 'f', arguments: '' } }
    yield { toolCall: { index: 0, arguments: '' } }
    yield { delta: '', logprobs: logprobs('c') }
    yield await Promise.resolve({ finish: 'stop' as const })
  }
}

const gappy = definePlugin({ name: 'gappy', models: { gappy: { capability: chat, class: Gappy } } })

describe('a kernel', () => {
  let kernel: Kernel | undefined
  afterEach(() => kernel?.stop())

  it('serves no empty pieces, and loses no log-probabilities with them', async () => {
    kernel = await createKernel({ plugins: [gappy] })
    expect(await collectPieces(kernel.get(chat).stream({ messages, tools: [{ name: 'f' }] }))).to.deep.equal([
      { delta: 'ab', logprobs: [...logprobs('a'), ...logprobs('b')] },
      { toolCall: { index: 0, id: 'call-1', name: 'f', arguments: '' } },
      { choice: 0, delta: '', logprobs: logprobs('c') },
      { finish: 'stop' },
    ])
  })

  it('has no empty echo', async () => {
    kernel = await createKernel({ plugins: [reference] })
    const pieces = await collectPieces(kernel.get(completion).stream({ prompt: '', echo: true, maxTokens: 1 }))
    expect(pieces.map((piece) => 'delta' in piece && piece.delta)).to.not.include('')
  })
})
