/** What ends with a guarded stream, and how streams end that fail at once. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatCapability, Detector, Verdict } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { checkSegment } from '../../src/output/segment-checks.js'
import { activeChecks, deaf, guard, enforce, finder, inspection, replace } from '../support.js'
import { deltas, guarded, pii, reply, request, sentence } from './streams.js'

describe('the checks of a guarded stream', () => {
  /** Never decides about what has `stuck` in it, and hears when it need not. */
  const stuck = () => {
    let reason: unknown
    const detector: Detector = {
      inspect: (inspected, inner) => {
        if (!inspected.text.includes('stuck')) return finder('awful', 'toxicity').inspect(inspected, inner)
        inner.signal.addEventListener('abort', () => (reason = inner.signal.reason as unknown))
        return new Promise(() => undefined)
      },
    }
    return { detector, reason: () => reason as Error | undefined }
  }
  const output = { toxicity: { ...enforce, budget: 10_000 } }

  it('end with the first text that does not pass', async () => {
    const { detector, reason } = stuck()
    const chunks = [
      { choice: 1, delta: 'It is stuck here, really. So' },
      ...deltas(['This is awful stuff. ', sentence]),
    ]
    const stream = guarded(reply(chunks), output, { toxicity: detector }).stream(request, testCall())
    const error: unknown = await stream[Symbol.asyncIterator]()
      .next()
      .catch((thrown: unknown) => thrown)
    expect(error).to.have.property('message', 'failed toxicity check')
    expect(reason()).to.have.property('message', 'failed toxicity check')
  }).timeout(5000)

  it('end with the reader', async () => {
    const { detector, reason } = stuck()
    const chunks = deltas([sentence, 'It is stuck here, really. ', sentence])
    for await (const chunk of guarded(reply(chunks), output, { toxicity: detector }).stream(request, testCall())) {
      expect(chunk).to.deep.equal({ delta: sentence })
      await sleep(1)
      break
    }
    await sleep(1)
    expect(reason()).to.be.an('error')
  }).timeout(5000)

  it('report once, though some are through after a block', async () => {
    const verdicts: Verdict[] = []
    const toxicity: Detector = {
      inspect: async ({ text }) => {
        if (text.includes('late')) await sleep(5)
        return inspection({ score: text.includes('awful') ? 1 : 0 })
      },
    }
    const chunks = [{ choice: 1, delta: 'It is late here, really. So' }, ...deltas([sentence, 'This is awful stuff. '])]
    const stream = guarded(reply(chunks), output, { toxicity }, verdicts).stream(request, testCall())
    const iterator = stream[Symbol.asyncIterator]()
    await iterator.next()
    await sleep(30)
    await iterator.next().catch(() => undefined)
    expect(verdicts.map(({ verdict }) => verdict)).to.deep.equal(['block'])
  })
})

/** Rejections that nobody hears would end the server. */
const unheardDuring = async (work: () => Promise<void>): Promise<unknown[]> => {
  const unheard: unknown[] = []
  const hearIt = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', hearIt)
  await work()
  await sleep(20)
  process.off('unhandledRejection', hearIt)
  return unheard
}

describe('an answer that one check blocks while a later one still replaces', () => {
  it('is blocked, and leaves no rejection unheard', async () => {
    const slowPii: Detector = {
      ...pii,
      inspect: async (...inspected) => {
        await sleep(20)
        return pii.inspect(...inspected)
      },
    }
    const output = { injection: { ...enforce, budget: 10_000 }, pii: { ...replace, budget: 10_000 } }
    const service = guarded(reply(deltas(['An attack. '])), output, {
      injection: finder('attack', 'injection'),
      pii: slowPii,
    })
    const unheard = await unheardDuring(async () => {
      const thrown: unknown = await service
        .stream(request, testCall())
        [Symbol.asyncIterator]()
        .next()
        .catch((reason: unknown) => reason)
      expect(thrown).to.have.property('message', 'prompt injection detected')
    })
    expect(unheard).to.deep.equal([])
  })
})

describe('a segment that a check blocks while the search across texts fails', () => {
  it('is blocked by that check, and leaves no rejection unheard', async () => {
    const { output } = activeChecks(
      { input: {}, output: { injection: enforce, pii: replace } },
      { injection: finder('attack', 'injection'), pii },
    )
    const check = checkSegment(output, () => Promise.resolve(''), { ...deaf, call: testCall(), stage: 'output' })
    const text = 'An attack.'
    const unheard = await unheardDuring(async () => {
      const failing = sleep(5).then(() => Promise.reject(new Error('across')))
      const thrown: unknown = await check({ text, before: '', start: 0, end: text.length }, failing).catch(
        (reason: unknown) => reason,
      )
      expect(thrown).to.have.property('message', 'prompt injection detected')
    })
    expect(unheard).to.deep.equal([])
  })
})

describe('a guarded stream that fails at once', () => {
  const backend: ChatCapability = {
    stream: () => {
      throw new Error('broken')
    },
  }
  for (const [text, error] of [
    ['attack', 'prompt injection detected'],
    ['hello', 'broken'],
  ] as const)
    it(`ends with "${error}", and leaves no rejection unheard`, async () => {
      const injection: Detector = {
        inspect: async (...inspected) => {
          await sleep(5)
          return finder('attack', 'injection').inspect(...inspected)
        },
      }
      const policy = { input: { injection: enforce } }
      const service = guard(chat, backend, { policy, detectors: { injection } })
      const unheard = await unheardDuring(async () => {
        const stream = service.stream({ messages: [{ role: 'user', content: text }] }, testCall())
        const thrown: unknown = await stream[Symbol.asyncIterator]()
          .next()
          .catch((reason: unknown) => reason)
        expect(thrown).to.have.property('message', error)
      })
      expect(unheard).to.deep.equal([])
    })
})
