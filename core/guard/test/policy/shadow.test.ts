/** Checks in shadow mode: all leaves as it would without them. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { chat, embedding } from '@sallyport/core'
import type { ChatCapability, ChatChunk, ChatRequest, EmbeddingCapability, Inspection } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { enforce, exchange, finder, guard, noChecks, piiFinder, replace, reply } from '../support.js'
import type { PolicyEntry, Detectors, Policy } from '../support.js'

const shadow: PolicyEntry = { ...enforce, mode: 'shadow' }

const request: ChatRequest = {
  messages: [
    { role: 'user', content: 'attack 1234' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'it is 1234', name: 'f', arguments: '{}' }] },
    { role: 'tool', content: 'awful', toolCallId: 'it is 1234' },
  ],
}

const words = fc.constantFrom('1234', 'awful. ', '{"a": 12', '34', 'It rains here. ', 'x'.repeat(5000), '\\', '\n', '')
const choice = fc.constantFrom(0, 1)
const chunks: fc.Arbitrary<ChatChunk[]> = fc.array(
  fc.oneof(
    fc.record({ choice, delta: words }),
    fc.record({ choice, reasoning: words }),
    words.map((token) => ({
      delta: token,
      logprobs: [{ token: 'other', logprob: -1, top: [{ token, logprob: -2 }] }],
    })),
    words.map((text) => ({ toolCall: { index: 0, id: `id ${text}`, name: 'f', arguments: text } })),
  ),
  { maxLength: 12 },
)

/** Finds nothing, fails, or is over its budget. */
const faults: (() => Promise<Inspection>)[] = [
  () => Promise.reject(new Error('gone')),
  () => new Promise(() => undefined),
]
const detectorsOf = (fault: (typeof faults)[number] | undefined, open: boolean): Detectors => {
  const finding = fault ? { inspect: fault } : undefined
  return {
    injection: finding ?? finder('attack', 'injection'),
    pii: {
      ...piiFinder('1234'),
      ...finding,
      ...(open ? { openSpans: ({ text }) => Promise.resolve({ spans: [{ start: 0, end: text.length }] }) } : {}),
    },
    toxicity: finding ?? finder('awful', 'toxicity'),
    factuality: finding ?? finder('rains', 'unsupported_claim'),
  }
}

const policies = fc
  .record({
    onFailure: fc.constantFrom('block' as const, 'open' as const),
    window: fc.constantFrom('segment' as const, 'answer' as const),
    action: fc.constantFrom('block' as const, 'replace' as const),
  })
  .map(({ action, ...change }): Policy => {
    const check: PolicyEntry = { ...shadow, ...change, budget: 2 }
    const pii = { ...replace, ...check, action }
    return { input: { injection: check, pii }, output: { pii, toxicity: check, factuality: check } }
  })

const hear = async (said: readonly ChatChunk[], policy: Partial<Policy>, detectors: Detectors = {}) => {
  const { said: _, ...heard } = await exchange(request, { policy, detectors }, reply(said))
  return heard
}

describe('checks in shadow mode', () => {
  it('leave the request, the chunks and their number as they are without a policy', async () => {
    const outcomes = fc.constantFrom(undefined, ...faults)
    await fc.assert(
      fc.asyncProperty(chunks, policies, outcomes, fc.boolean(), async (said, policy, fault, open) => {
        const { verdicts, ...heard } = await hear(said, policy, detectorsOf(fault, open))
        const { verdicts: none, ...without } = await hear(said, noChecks)
        expect(heard).to.deep.equal(without)
        expect(none).to.deep.equal([])
        expect(verdicts.map(({ mode }) => mode)).to.include('shadow')
      }),
      { numRuns: 100 },
    )
  }).timeout(60_000)

  it('leave alone what checks that are enforced make of an answer', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, policies, async (said, { output }) => {
        const enforced = { output: { pii: replace } }
        const both = { output: { ...output, pii: replace } }
        const { verdicts, ...heard } = await hear(said, both, detectorsOf(undefined, false))
        const { verdicts: alone, ...expected } = await hear(said, enforced, detectorsOf(undefined, false))
        expect(heard).to.deep.equal(expected)
        expect(verdicts.length).to.be.at.least(alone.length)
      }),
      { numRuns: 100 },
    )
  }).timeout(60_000)

  it('hold no chunk back, though they have not decided', async () => {
    let decide = (): unknown => undefined
    const decided = new Promise<void>((resolve) => (decide = resolve))
    const toxicity = {
      inspect: async (...[inspected, inner]: Parameters<ReturnType<typeof finder>['inspect']>) => {
        await decided
        return finder('awful', 'toxicity').inspect(inspected, inner)
      },
    }
    const check: PolicyEntry = { ...shadow, budget: 10_000, window: 'answer' }
    const verdicts: string[] = []
    const backend: ChatCapability = {
      async *stream() {
        for (let count = 0; count < 20; count += 1) yield { delta: 'This is awful stuff. ' }
        yield await Promise.resolve({ finish: 'stop' as const })
      },
    }
    const guarded = guard(chat, backend, {
      policy: { input: { injection: check }, output: { toxicity: check } },
      detectors: { injection: toxicity, toxicity },
      onVerdict: ({ stage, verdict }) => verdicts.push(`${stage} ${verdict}`),
    })
    for await (const chunk of guarded.stream({ messages: [{ role: 'user', content: 'awful' }] }, testCall()))
      if ('finish' in chunk) {
        expect(verdicts).to.deep.equal([])
        decide()
      }
    expect(verdicts).to.have.members(['input block', 'output block'])
  }).timeout(5000)

  it('see what leaves, and not what is replaced in it', async () => {
    const output = { pii: replace, toxicity: shadow }
    const detectors = { ...detectorsOf(undefined, false), toxicity: finder('1234', 'toxicity') }
    const { verdicts } = await hear([{ delta: 'It is 1234.' }], { output }, detectors)
    expect(verdicts.map(({ check, verdict }) => `${check} ${verdict}`)).to.deep.equal(['pii replace', 'toxicity pass'])
  })

  it('take token ids, which they cannot read', async () => {
    const service: EmbeddingCapability = {
      embed: () => Promise.resolve({ vectors: [new Float32Array([1])], usage: { promptTokens: 1 } }),
    } as unknown as EmbeddingCapability
    const policy = { input: { pii: { ...replace, ...shadow } } }
    const answer = await guard(embedding, service, { policy }).embed({ inputs: [{ tokens: [1, 2] }] }, testCall())
    expect(answer).to.have.property('vectors')
  })

  it('end with the answer that its reader leaves', async () => {
    let ended: AbortSignal | undefined
    const toxicity = {
      inspect: (_: unknown, { signal }: { signal: AbortSignal }): Promise<Inspection> => {
        ended = signal
        return new Promise(() => undefined)
      },
    }
    const backend: ChatCapability = {
      async *stream() {
        for (;;) yield await Promise.resolve({ delta: 'It rains a lot here. ' })
      },
    }
    const policy = { output: { toxicity: { ...shadow, budget: 10_000 } } }
    const guarded = guard(chat, backend, { policy, detectors: { toxicity } })
    let count = 0
    for await (const chunk of guarded.stream(request, testCall())) {
      expect(chunk).to.have.property('delta')
      await sleep(1)
      if ((count += 1) === 5) break
    }
    expect(ended?.aborted).to.equal(true)
  })
})
