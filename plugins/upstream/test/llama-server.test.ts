/**
 * A real llama-server with a real model, where this machine has both: `llama-server` on the PATH, and the path of a
 * chat model in `SALLYPORT_TEST_GGUF`. `SALLYPORT_TEST_TOOLS=1` says that the model calls tools.
 */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chat, completion } from '@sallyport/core'
import { runConformance, testCall } from '@sallyport/testing'
import type { ModelFacts } from '@sallyport/testing'
import { expect } from 'chai'
import { loadModel } from './support/models.js'
import type { Model } from './support/models.js'

const weights = process.env.SALLYPORT_TEST_GGUF ?? ''
const contextLength = 1024

const missing = (): string | undefined => {
  if (!weights) return 'SALLYPORT_TEST_GGUF does not name a model'
  if (!existsSync(weights)) return `there is no file ${weights}`
  try {
    execFileSync('llama-server', ['--version'], { stdio: 'ignore', timeout: 10_000 })
    return undefined
  } catch {
    return 'there is no llama-server on the PATH'
  }
}

const start = (): Promise<Model> =>
  loadModel({
    capabilities: ['chat', 'completion', 'tokens'],
    server: {
      command: 'llama-server',
      args: ['-m', weights, '--port', '{port}', '-c', String(2 * contextLength), '-np', '2', '-t', '2', '--jinja'],
    },
  })

const reason = missing()

if (reason === undefined)
  describe('a real llama-server', function () {
    this.timeout(60_000)
    let model: Model

    before(async () => {
      model = await start()
    })

    after(() => model.stop())

    it('streams a chat, with usage', async () => {
      const { pieces, text, last } = await model.answer({ temperature: 0, maxTokens: 16 })
      expect(text).not.to.equal('')
      expect(pieces.length).to.be.greaterThan(4)
      expect(last).to.have.nested.property('usage.completionTokens').within(2, 16)
    })

    it('is described by its listing', () => {
      expect(model.loaded.descriptor).to.include({ contextLength, ownedBy: 'llamacpp' })
    })

    it('frees its slot when a call is aborted', async () => {
      for (let round = 0; round < 8; round += 1) {
        const controller = new AbortController()
        const pieces = model.chat({ maxTokens: 1000, temperature: 1.5 }, { signal: controller.signal })
        await pieces[Symbol.asyncIterator]().next()
        controller.abort(new Error('gone'))
      }
      const started = performance.now()
      await model.answer({ maxTokens: 2 })
      expect(performance.now() - started).to.be.lessThan(10_000)
    })

    it('turns text into tokens and back', async () => {
      const text = 'Grüße, 👩‍👩‍👧 world!'
      const { tokens } = await model.tokens.tokenize({ text }, testCall())
      expect(tokens.at(-1)?.end).to.equal(Array.from(text).length)
      const ids = tokens.map(({ id }) => id)
      expect(await model.tokens.detokenize({ tokens: ids }, testCall())).to.deep.equal({ text })
    })
  })
else describe('a real llama-server', () => it.skip(`(skipped: ${reason})`, () => undefined))

const made =
  <Service extends object>(service: (model: Model) => Service) =>
  async () => {
    const model = await start()
    return { service: service(model), dispose: () => model.stop() }
  }

if (reason === undefined) {
  const tools = process.env.SALLYPORT_TEST_TOOLS === '1'
  const facts: ModelFacts = { contextLength, features: { tools } }
  const skip = {
    'a text that might have begun a stop sequence is not lost': 'llama-server loses it at the limit of tokens',
  }
  runConformance(chat, { create: made((model) => model.service(chat)), facts, skip })
  runConformance(completion, { create: made((model) => model.service(completion)), facts, skip })
}
