/** What answers are compared with. */

import { expect } from 'chai'
import { chat, isSallyportError, translation } from '@sallyport/core'
import type { ChatCapability, ChatRequest, Detector, TranslationCapability, Verdict } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard, enforce, inspection, replace, exchange, reply } from '../support.js'
import type { FactualityPolicy } from '../support.js'

describe('the reference of an answer', () => {
  const policy = { name: 'both', input: { pii: replace }, output: { factuality: enforce } }

  /** Its references, and what it is asked through. */
  const listening = () => {
    const references: (string | undefined)[] = []
    const factuality: Detector = {
      inspect: ({ reference }) => {
        references.push(reference)
        return inspection({})
      },
    }
    return { references, context: { policy, detectors: { factuality } } }
  }

  it('is what the model read: of a stream', async () => {
    const { references, context } = listening()
    const request = { messages: [{ role: 'user' as const, content: 'My pin is 1234.' }] }
    await exchange(request, context, reply([{ delta: 'It is <SECRET>.' }]))
    expect(references).to.deep.equal(['My pin is <SECRET>.'])
  })

  const ask = async (messages: ChatRequest['messages'], factuality: FactualityPolicy, detector = true) => {
    const { references, context } = listening()
    const verdicts: Verdict[] = []
    const backend: ChatCapability = {
      async *stream() {
        yield { delta: 'It is so.' }
        yield await Promise.resolve({ finish: 'stop' as const })
      },
    }
    const guarded = guard(chat, backend, {
      ...context,
      policy: { input: {}, output: { factuality } },
      detectors: detector ? context.detectors : { ...context.detectors, factuality: undefined },
      onVerdict: (verdict) => void verdicts.push(verdict),
    })
    let error: unknown
    try {
      for await (const chunk of guarded.stream({ messages }, testCall())) expect(chunk).to.be.an('object')
    } catch (thrown) {
      error = thrown
    }
    return { references, verdicts, code: isSallyportError(error) ? error.code : undefined }
  }
  const question = [{ role: 'user' as const, content: 'Is it so?' }]

  it('is in the request’s turns, but not in those of the model', async () => {
    const { references } = await ask(
      [
        { role: 'system', content: 'You are a helper. The shop opens at nine.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'I bought ' },
            { type: 'text', text: 'two green chairs.' },
          ],
        },
        { role: 'assistant', content: 'The shop closes at six.', reasoning: 'The shop is large.' },
        { role: 'tool', content: '{"open": true}', toolCallId: 'a' },
        { role: 'user', content: 'When does it open?' },
      ],
      enforce,
    )
    expect(references).to.deep.equal(['The shop opens at nine.\nI bought two green chairs.\n{"open": true}'])
  })

  for (const [name, policy, verdict, code] of [
    ['passes', enforce, 'pass', undefined],
    ['is blocked where the policy says so', { ...enforce, unreferenced: 'block' }, 'block', 'content_blocked'],
    ['would be blocked, in shadow mode', { ...enforce, mode: 'shadow', unreferenced: 'block' }, 'block', undefined],
  ] as const)
    it(`is nothing where nothing is stated: the answer ${name}`, async () => {
      const { references, verdicts, code: thrown } = await ask(question, policy)
      expect(references).to.deep.equal([])
      expect(verdicts).to.have.length(1)
      expect(verdicts[0]).to.include({ check: 'factuality', verdict, mode: policy.mode, reason: 'no reference' })
      expect(thrown).to.equal(code)
    })

  it('is no excuse for a detector that is missing', async () => {
    const { verdicts, code } = await ask(question, enforce, false)
    expect(code).to.equal('safeguard_unavailable')
    expect(verdicts[0]).to.include({ verdict: 'unavailable' })
  })

  it('is nothing of a translation, whose words are others', async () => {
    const { references, context } = listening()
    const service: TranslationCapability = {
      translate: () =>
        Promise.resolve({ candidates: [{ translation: 'Ja', score: 1, model: 'm', status: 'success' }] }),
      pairs: () => Promise.resolve({ pairs: [] }),
    }
    const request = { text: 'The pin is 1234.', source: 'en', target: 'de' }
    await guard(translation, service, context).translate(request, testCall())
    expect(references).to.deep.equal([])
  })
})
