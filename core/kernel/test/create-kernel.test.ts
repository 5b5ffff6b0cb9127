import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { chat, completion, embedding, textClassification } from '@sallyport/core'
import type { Call, ChatRequest, Kernel } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import { failureOf } from '@sallyport/stand-ins/errors'
import { useKernels, withModel } from './support/kernels.js'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one two three' }]

/** Never says anything, and notes whether it was told to stop. */
const silent = () => {
  const seen: { signal?: AbortSignal } = {}
  const stream = async function* (_request: ChatRequest, { signal }: Call): AsyncGenerator<never> {
    seen.signal = signal
    await new Promise(() => undefined)
  }
  return { seen, plugin: withModel('silent', chat, { stream }) }
}

describe('a kernel', () => {
  const start = useKernels()

  it('does not start with a policy that ignores an entity type that there is not', async () => {
    const policyOf = (type: string) => ({ default: { input: { pii: { ignore: [type] } } } })
    expect(await failureOf(start({ plugins: [reference], policies: policyOf('CREDIT_CARDS') }))).to.include(
      'policies.default.input.pii.ignore[0]: no detector of this entry finds the entity type "CREDIT_CARDS": did you mean "CREDIT_CARD"?',
    )
    await start({ plugins: [reference], policies: policyOf('CREDIT_CARD') })
  })

  it('serves a stream, and the same text unstreamed', async () => {
    const service = (await start({ plugins: [reference] })).get(chat)
    let streamed = ''
    for await (const chunk of service.stream({ messages })) if ('delta' in chunk) streamed += chunk.delta
    const { choices, usage } = await service.generate({ messages })
    expect(choices.map(({ text }) => text)).to.deep.equal([streamed])
    expect(usage?.promptTokens).to.be.above(0)
  })

  it('runs n choices side by side and counts the prompt once', async () => {
    const service = (await start({ plugins: [reference] })).get(chat)
    const one = await service.generate({ messages })
    const three = await service.generate({ messages, n: 3 })
    expect(three.choices.length).to.equal(3)
    expect(three.usage?.promptTokens).to.equal(one.usage?.promptTokens)
    expect(three.usage?.completionTokens).to.equal(3 * (one.usage?.completionTokens ?? 0))
  })

  it('puts the prompt before each choice of a completion that asks for its echo', async () => {
    const service = (await start({ plugins: [reference] })).get(completion)
    const plain = await service.generate({ prompt: 'one two', maxTokens: 3, n: 2 })
    const echoed = await service.generate({ prompt: 'one two', maxTokens: 3, n: 2, echo: true })
    expect(echoed.choices.map(({ text }) => text)).to.deep.equal(plain.choices.map(({ text }) => `one two${text}`))
  })

  it('ends a call at its deadline although the backend ignores it', async () => {
    const { plugin, seen } = silent()
    const service = (await start({ plugins: [plugin] })).get(chat)
    const problem = await failureOf(service.generate({ messages }, { deadline: Date.now() + 30 }))
    expect(problem).to.match(/^deadline_exceeded/)
    expect(seen.signal?.aborted).to.equal(true)
  })

  it('ends running calls when it stops', async () => {
    const { plugin } = silent()
    const running = await start({ plugins: [plugin] })
    const call = failureOf(running.get(chat).generate({ messages }))
    await new Promise((resolve) => setTimeout(resolve, 10))
    await running.stop()
    expect(await call).to.match(/^not_ready/)
  })

  it('refuses calls once it drains, and says so', async () => {
    const running = await start({ plugins: [reference] })
    await running.drain()
    expect(running.state).to.equal('draining')
    expect(await failureOf(running.get(chat).generate({ messages }))).to.match(
      /^not_ready: the server is shutting down/,
    )
  })

  it('leaves nothing behind in the signal that it drains under', async () => {
    const running = await start({ plugins: [reference] })
    const { signal } = new AbortController()
    await running.drain(signal)
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
  })

  const lookups: { name: string; ask: (kernel: Kernel) => unknown; problem: RegExp }[] = [
    {
      name: 'an unknown model',
      ask: (k) => k.get(chat, 'gpt-9'),
      problem: /^model_not_found: model not found: gpt-9; available: /,
    },
    { name: 'a path', ask: (k) => k.get(chat, '../../etc/passwd'), problem: /^model_not_found/ },
    { name: 'an inherited property', ask: (k) => k.get(chat, '__proto__'), problem: /^model_not_found/ },
  ]
  for (const { name, ask, problem } of lookups)
    it(`finds no model by ${name}`, async () => {
      const running = await start({ plugins: [reference] })
      expect(await failureOf(Promise.resolve().then(() => ask(running)))).to.match(problem)
    })

  it('says which capability is missing', async () => {
    const running = await start({ plugins: [] })
    expect(await failureOf(Promise.resolve().then(() => running.get(embedding)))).to.match(
      /^capability_missing.*"embedding"/,
    )
  })

  it('refuses what a caller wants checked when no plugin checks it', async () => {
    const { plugin } = silent()
    const running = await start({ plugins: [plugin] })
    const asked = running.get(chat).generate({ messages }, { safeguards: { input: { injection: true } } })
    expect(await failureOf(asked)).to.equal('invalid_request: safeguards.input.injection: is not a known check')
  })

  it('guards by the policy of the configuration, on every capability that carries text', async () => {
    const running = await start({
      plugins: [reference],
      policies: { default: { input: { pii: { action: 'block' } } } },
    })
    const secret = 'write to jane@example.org'
    const blocked = 'content_blocked: pii detected'
    expect(await failureOf(running.get(chat).generate({ messages: [{ role: 'user', content: secret }] }))).to.equal(
      blocked,
    )
    expect(await failureOf(running.get(completion).generate({ prompt: secret }))).to.equal(blocked)
    expect(await failureOf(running.get(embedding).embed({ inputs: [{ text: secret }] }))).to.equal(blocked)
    const labels = await running.get(textClassification).classify({ inputs: [{ text: secret }] })
    expect(labels.labels.length).to.equal(1)
  })

  it('reports each verdict to the caller', async () => {
    const running = await start({ plugins: [reference] })
    const heard: string[] = []
    await running.get(chat).generate(
      { messages },
      {
        safeguards: { input: { pii: 'replace' }, output: { toxicity: true } },
        onVerdict: ({ check, verdict }) => heard.push(`${check}=${verdict}`),
      },
    )
    expect(heard).to.deep.equal(['pii=pass', 'toxicity=pass'])
  })

  it('keeps the options of several kernels apart', async () => {
    const other = await start({ plugins: [{ use: reference, options: { delay: 5 } }] })
    const running = await start({ plugins: [reference] })
    const texts = await Promise.all(
      [running, other].map(async (each) => (await each.get(chat).generate({ messages })).choices[0]?.text),
    )
    expect(texts[0]).to.equal(texts[1])
  })
})
