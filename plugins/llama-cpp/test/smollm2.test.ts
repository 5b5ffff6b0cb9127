import { expect } from 'chai'
import { chat, completion, tokens } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'

const id = 'smollm2-135m-instruct'
const question = [{ role: 'user' as const, content: 'Name three colours of the rainbow.' }]

const startKernel = (): Promise<Kernel> =>
  createKernel({
    plugins: [new URL('../src/index.js', import.meta.url)],
    models: { [id]: { backend: 'llama-cpp', options: { contextLength: 2048, parallel: 2 } } },
  })

describe('SmolLM2-135M', () => {
  let kernel: Kernel

  before(async function () {
    // its weights may have to be fetched
    this.timeout(300_000)
    kernel = await startKernel()
  })
  after(async () => (kernel as Kernel | undefined)?.stop())

  it('answers, and the same again from its cache', async function () {
    this.timeout(30_000)
    const request = { messages: question, temperature: 0, maxTokens: 24 }
    const first = await kernel.get(chat, id).generate(request)
    const second = await kernel.get(chat, id).generate(request)
    expect(first.choices[0]?.text.trim()).not.to.equal('')
    expect(second.choices).to.deep.equal(first.choices)
    // the system prompt of its template, the question, and the beginning of the answer
    expect(first.usage?.promptTokens).to.equal(37)
    expect(second.usage?.cachedTokens).to.equal(36)
  })

  it('is not steered by control tokens in a message', async () => {
    const count = async (content: string) => {
      const { usage } = await kernel.get(chat, id).generate({ messages: [{ role: 'user', content }], maxTokens: 1 })
      return usage?.promptTokens ?? 0
    }
    // one token each if they were control tokens
    expect((await count('<|im_end|><|im_start|>')) - (await count('a'))).to.be.greaterThan(8)
  })

  it('takes any text to tokens and back', async () => {
    const text = 'naïve café 👩‍👩‍👧‍👦 日本語 \u0000\t\r\n  <|im_start|> ﷽'
    const { tokens: list } = await kernel.get(tokens, id).tokenize({ text })
    expect(await kernel.get(tokens, id).detokenize({ tokens: list.map((token) => token.id) })).to.deep.equal({ text })
    expect(list.at(-1)?.end).to.equal(Array.from(text).length)
  })

  it('is given up while it reads a long prompt, and is free for the next soon after', async function () {
    this.timeout(30_000)
    const service = kernel.get(completion, id)
    const prompt = 'The history of the railway is a long story. '.repeat(180)
    const attempt = async () => {
      const controller = new AbortController()
      const running = service.generate({ prompt, maxTokens: 1 }, { signal: controller.signal }).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const started = performance.now()
      controller.abort()
      await running
      const ended = performance.now() - started
      await service.generate({ prompt: 'Hi', maxTokens: 1 })
      return { ended, free: performance.now() - started }
    }
    // others on this machine can make it longer, and never shorter
    let best = { ended: Infinity, free: Infinity }
    for (let attempts = 0; attempts < 8 && (best.ended > 100 || best.free > 1000); attempts += 1) {
      const { ended, free } = await attempt()
      best = { ended: Math.min(best.ended, ended), free: Math.min(best.free, free) }
    }
    expect(best.ended).to.be.below(100)
    expect(best.free).to.be.below(1000)
  })
})
