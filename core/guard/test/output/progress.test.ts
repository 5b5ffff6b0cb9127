/** When chunks leave, and who waits for whom. */

import 'reflect-metadata'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { ChatCapability, ChatChunk } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { PatternPii } from '@sallyport/testing/reference'
import { testCall } from '@sallyport/testing'
import { enforce, replace } from '../support.js'
import { checks, detectors, guarded, hear, listen, pii, reply, request, sentence } from './streams.js'
import type { Detectors } from './streams.js'

describe('the chunks of a guarded stream', () => {
  it('releases a sentence before the model goes on', async () => {
    let release = (): unknown => undefined
    const heard = new Promise<void>((resolve) => (release = resolve))
    const chunks = async function* (): AsyncGenerator<ChatChunk> {
      yield { delta: `${sentence}And` }
      yield { delta: ' then' }
      await heard
      yield { delta: ' more.' }
    }
    const said: string[] = []
    for await (const chunk of guarded(reply(chunks())).stream(request, testCall())) {
      if ('delta' in chunk) said.push(chunk.delta)
      release()
    }
    expect(said.join('')).to.equal(`${sentence}And then more.`)
  }).timeout(5000)

  it('lets the model run ahead of its checks by two segments, no more', async () => {
    let written = 0
    const chunks = function* (): Generator<ChatChunk> {
      for (; written < 50; written += 1) yield { delta: sentence }
    }
    const stuck: Detectors = { pii, toxicity: { inspect: () => new Promise(() => undefined) } }
    const backend = guarded(reply(chunks()), { toxicity: { ...enforce, budget: 200 } }, stuck)
    expect((await listen(backend)).error).to.equal('safeguard unavailable: toxicity')
    expect(written).to.be.within(1, 4)
  })

  it('waits for a slow reader', async () => {
    let written = 0
    const chunks = function* (): Generator<ChatChunk> {
      for (; written < 5000; written += 1) yield { delta: sentence }
    }
    const stream = guarded(reply(chunks())).stream(request, testCall())[Symbol.asyncIterator]()
    await stream.next()
    await sleep(100)
    expect(written).to.be.below(200)
    await stream.return?.()
  })

  it('holds little, whatever the model writes', async () => {
    for (const unit of ['x', '1', 'word ', '\n', '1234']) {
      let [written, said, held] = [0, 0, 0]
      const chunks = function* (): Generator<ChatChunk> {
        for (let count = 0; count < 20_000; count += 1) {
          written += unit.length
          yield { delta: unit }
        }
      }
      for await (const chunk of guarded(reply(chunks()), checks, {
        ...detectors,
        pii: { ...pii, replace: ({ text }) => Promise.resolve({ text, spans: [] }) },
      }).stream(request, testCall()))
        if ('delta' in chunk) {
          held = Math.max(held, written - said)
          said += chunk.delta.length
        }
      expect(said, unit).to.equal(written)
      expect(held, unit).to.be.below(4096)
    }
  }).timeout(60_000)

  it('leave soon, however long a text without an end of a sentence is', async () => {
    for (const text of ['a'.repeat(1_000_000), 'a@'.repeat(200_000), '1 '.repeat(200_000), 'a. b. '.repeat(50_000)]) {
      const { said, error } = await hear(
        [text],
        { pii: { ...replace, budget: 60_000 } },
        { pii: new PatternPii({ delay: 0 }) },
      )
      expect(error).to.equal(undefined)
      expect(said).to.have.length.within(text.length / 2, text.length)
    }
  }).timeout(120_000)

  it('stops the model with the first text that does not pass', async () => {
    let stopped: unknown
    const backend: ChatCapability = {
      async *stream(_, { signal }) {
        signal.addEventListener('abort', () => {
          stopped = signal.reason
        })
        yield { delta: `This is awful stuff. ${sentence}` }
        await new Promise<unknown>((resolve) => {
          signal.addEventListener('abort', resolve, { once: true })
        })
        yield { delta: 'more' }
      },
    }
    expect((await listen(guarded(backend))).error).to.equal('failed toxicity check')
    expect(stopped).to.be.an('error')
  }).timeout(5000)

  it('stops the model when the reader leaves, while a check runs', async () => {
    let ended = false
    const chunks = async function* (): AsyncGenerator<ChatChunk> {
      try {
        for (;;) {
          yield { delta: sentence }
          await sleep(1)
        }
      } finally {
        ended = true
      }
    }
    for await (const chunk of guarded(reply(chunks())).stream(request, testCall())) {
      expect(chunk).to.deep.equal({ delta: sentence })
      break
    }
    await sleep(50)
    expect(ended).to.equal(true)
  })

  it('waits for its turn outside detectors, where it holds little', async () => {
    let [inside, most] = [0, 0]
    const busy: Detectors['pii'] = {
      ...pii,
      openSpans: async (_, { signal, tenant }) => {
        most = Math.max(most, (inside += 1))
        for (const until = performance.now() + 1; performance.now() < until;);
        await new Pacer({ signal, tenant }).pause()
        inside -= 1
        return { spans: [] }
      },
    }
    const chunks = async function* (): AsyncGenerator<ChatChunk> {
      for (const delta of [sentence, sentence]) {
        await sleep(1)
        yield { delta }
      }
    }
    const service = () => guarded(reply(chunks()), { pii: { ...replace, budget: 10_000 } }, { pii: busy })
    const heard = await Promise.all(Array.from({ length: 100 }, () => listen(service())))
    expect(new Set(heard.map(({ said }) => said))).to.deep.equal(new Set([sentence + sentence]))
    expect(most).to.be.below(50)
  }).timeout(10_000)

  it('passes on what the model throws', async () => {
    const chunks = function* (): Generator<ChatChunk> {
      yield { delta: sentence }
      throw new Error('broken')
    }
    expect((await listen(guarded(reply(chunks())))).error).to.equal('broken')
  })
})
