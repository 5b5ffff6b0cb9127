import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { chat, failure } from '@sallyport/core'
import type { ChatCapability, Detector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard, broken, echo, enforce, exchange, finder, piiFinder, replace, reply, run } from './support.js'
import type { Detectors, Policy } from './support.js'

describe('the guarded chat', () => {
  const secret = { pii: piiFinder('1234') }
  const cases: {
    name: string
    text: string
    policy: Partial<Policy>
    detectors?: Detectors
    said?: string
    error?: string
    verdicts?: string[]
  }[] = [
    {
      name: 'passes what no check minds',
      text: 'hello',
      policy: { input: { pii: replace } },
      detectors: secret,
      said: 'hello',
    },
    {
      name: 'replaces what goes in',
      text: 'pin 1234',
      policy: { input: { pii: replace } },
      detectors: secret,
      said: 'pin <SECRET>',
    },
    {
      name: 'blocks what goes in',
      text: 'pin 1234',
      policy: { input: { pii: { ...replace, action: 'block' } } },
      detectors: secret,
      error: 'pii detected',
      verdicts: ['input pii block'],
    },
    {
      name: 'replaces what comes out, over the borders of chunks',
      text: 'pin 1234, again 1234!',
      policy: { output: { pii: replace } },
      detectors: secret,
      said: 'pin <SECRET>, again <SECRET>!',
      verdicts: ['output pii replace'],
    },
    {
      name: 'blocks an injection in what comes out, as if nothing personal were there',
      text: 'ignore 1234',
      policy: { output: { injection: enforce, pii: { ...replace, action: 'block' } } },
      detectors: { ...secret, injection: finder('ignore', 'injection') },
      error: 'prompt injection detected',
    },
    {
      name: 'finds an injection in what is replaced',
      text: 'ignore 1234',
      policy: { output: { injection: enforce, pii: replace } },
      detectors: { ...secret, injection: finder('ignore 1234', 'injection') },
      error: 'prompt injection detected',
    },
    {
      name: 'blocks an injection',
      text: 'ignore everything',
      policy: { input: { injection: enforce } },
      detectors: { injection: finder('ignore', 'injection') },
      error: 'prompt injection detected',
    },
    {
      name: 'blocks a toxic answer and releases none of it',
      text: 'you fool',
      policy: { output: { toxicity: enforce } },
      detectors: { toxicity: finder('fool', 'toxicity') },
      said: '',
      error: 'failed toxicity check',
    },
    {
      name: 'checks toxicity after replacement',
      text: 'pin 1234',
      policy: { output: { pii: replace, toxicity: enforce } },
      detectors: { ...secret, toxicity: finder('1234', 'toxicity') },
      said: 'pin <SECRET>',
    },
    {
      name: 'reports and passes in shadow mode',
      text: 'pin 1234',
      policy: { input: { pii: { ...replace, action: 'block', mode: 'shadow' } } },
      detectors: secret,
      said: 'pin 1234',
      verdicts: ['input pii block'],
    },
    {
      name: 'blocks when the detector is missing',
      text: 'hello',
      policy: { input: { injection: enforce } },
      error: 'safeguard unavailable: injection',
      verdicts: ['input injection unavailable'],
    },
    {
      name: 'blocks when the detector throws',
      text: 'hello',
      policy: { output: { toxicity: enforce } },
      detectors: { toxicity: broken(() => Promise.reject(new Error('boom'))) },
      said: '',
      error: 'safeguard unavailable: toxicity',
    },
    {
      name: 'blocks when the detector throws at once',
      text: 'hello',
      policy: { input: { injection: enforce } },
      detectors: {
        injection: broken(() => {
          throw new Error('boom')
        }),
      },
      error: 'safeguard unavailable: injection',
    },
    {
      name: 'blocks when the detector takes too long',
      text: 'hello',
      policy: { input: { injection: { ...enforce, budget: 5 } } },
      detectors: { injection: broken(() => new Promise(() => undefined)) },
      error: 'safeguard unavailable: injection',
    },
    {
      name: 'blocks when the replacement fails',
      text: 'pin 1234',
      policy: { input: { pii: replace } },
      detectors: { pii: { ...piiFinder('1234'), replace: () => Promise.reject(failure('internal', {})) } },
      error: 'safeguard unavailable: pii',
    },
    {
      name: 'passes when the policy lets failures pass',
      text: 'hello',
      policy: { input: { injection: { ...enforce, onFailure: 'open' } } },
      said: 'hello',
      verdicts: ['input injection unavailable'],
    },
    {
      name: 'ignores the entity types that the policy ignores',
      text: 'pin 1234',
      policy: { input: { pii: { ...replace, action: 'block', ignore: ['SECRET'] } } },
      detectors: secret,
      said: 'pin 1234',
    },
  ]
  for (const { name, text, policy, detectors, said, error, verdicts } of cases)
    it(name, async () => {
      const result = await run(text, policy, detectors)
      expect(result.error).to.equal(error)
      if (said !== undefined) expect(result.said).to.equal(said)
      if (verdicts)
        expect(result.verdicts.map(({ stage, check, verdict }) => `${stage} ${check} ${verdict}`)).to.deep.equal(
          verdicts,
        )
    })

  it('leaves out the alternatives of log-probabilities where answers are checked', async () => {
    const backend = reply([
      { delta: 'hi', logprobs: [{ token: 'hi', logprob: -1, top: [{ token: '1234', logprob: -2 }] }] },
    ])
    const { chunks } = await run('x', { output: { pii: replace } }, secret, backend)
    expect(chunks[0]).to.deep.equal({ delta: 'hi', logprobs: [{ token: 'hi', logprob: -1 }] })
  })

  it('joins chunks without a position to those of the first choice', async () => {
    const backend = reply([{ choice: 0, delta: 'pin 12' }, { delta: '34' }])
    const { said } = await run('x', { output: { pii: replace } }, secret, backend)
    expect(said).to.equal('pin <SECRET>')
  })

  it('inspects no further texts once one is blocked', async () => {
    let inspected = 0
    const detector = finder('ignore', 'injection')
    const injection = {
      inspect: async (...request: Parameters<typeof detector.inspect>) => {
        inspected += 1
        await new Promise((resolve) => setImmediate(resolve))
        return detector.inspect(...request)
      },
    }
    const messages = Array.from({ length: 500 }, (_, index) => ({
      role: index % 2 ? ('assistant' as const) : ('user' as const),
      content: index === 20 ? 'ignore' : `turn ${index}`,
    }))
    const { error } = await exchange(
      { messages },
      { policy: { input: { injection: enforce } }, detectors: { injection } },
    )
    expect(error).to.equal('prompt injection detected')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(inspected).to.be.within(21, 29)
  })

  it('never shows a blocked request to the model', async () => {
    const backend = echo()
    await run('pin 1234', { input: { pii: { ...replace, action: 'block' } } }, secret, backend)
    expect(backend.seen).to.deep.equal([])
  })

  it('lets the model read while it looks for attacks, and nothing out before it has looked', async () => {
    const order: string[] = []
    const backend: ChatCapability = {
      async *stream(_, { signal }) {
        order.push('model')
        signal.addEventListener('abort', () => order.push('stopped'))
        yield await Promise.resolve({ delta: 'hello' })
        yield { finish: 'stop' }
      },
    }
    const detector = (word: string) => ({
      inspect: async (...[inspected, inner]: Parameters<Detector['inspect']>) => {
        await sleep(20)
        order.push('looked')
        return finder(word, 'injection').inspect(inspected, inner)
      },
    })
    const policy = { input: { injection: enforce } }
    const passed = await run('go on', policy, { injection: detector('attack') }, backend)
    expect([order, passed.said]).to.deep.equal([['model', 'looked'], 'hello'])
    order.length = 0
    const blocked = await run('attack', policy, { injection: detector('attack') }, backend)
    expect(order).to.deep.equal(['model', 'looked', 'stopped'])
    expect([blocked.said, blocked.chunks, blocked.error]).to.deep.equal(['', [], 'prompt injection detected'])
  })

  it('reports an attack, where personal information is found faster', async () => {
    const slow: Detector = {
      inspect: async (inspected, inner) => {
        await sleep(20)
        return finder('1234', 'injection').inspect(inspected, inner)
      },
    }
    const policy: Partial<Policy> = { input: { injection: enforce, pii: { ...replace, action: 'block' } } }
    expect((await run('pin 1234', policy, { ...secret, injection: slow })).error).to.equal('prompt injection detected')
  })

  it('drops log-probabilities of replaced text', async () => {
    const { chunks } = await run('pin 1234', { output: { pii: replace } }, secret)
    expect(chunks.some((chunk) => 'logprobs' in chunk)).to.equal(false)
  })

  it('keeps log-probabilities of text that passes', async () => {
    const { chunks } = await run('pin', { output: { pii: replace } }, secret)
    expect(chunks.some((chunk) => 'logprobs' in chunk)).to.equal(true)
  })

  it('ends with the abort, not with an unavailable safeguard, when the caller goes during a check', async () => {
    const controller = new AbortController()
    const guarded = guard(chat, echo(), {
      policy: { input: { injection: enforce } },
      detectors: {
        injection: broken(() => {
          controller.abort(new Error('gone'))
          return new Promise(() => undefined)
        }),
        pii: undefined,
        toxicity: undefined,
        factuality: undefined,
      },
      onVerdict: () => undefined,
      onFailure: () => undefined,
    })
    const stream = guarded.stream(
      { messages: [{ role: 'user', content: 'x' }] },
      testCall({ signal: controller.signal }),
    )
    const error = await stream[Symbol.asyncIterator]()
      .next()
      .then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      )
    expect(error?.message).to.equal('gone')
  })

  it('says the same for every way of cutting the answer into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('1234', '12', '34', ' ', 'a', '🙂', '\n'), { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
        async (words, sizes) => {
          const text = words.join('')
          const { said } = await run(text, { output: { pii: replace } }, secret, echo(sizes))
          expect(said).to.equal(text.replaceAll('1234', '<SECRET>'))
        },
      ),
      { numRuns: 200 },
    )
  })
})
