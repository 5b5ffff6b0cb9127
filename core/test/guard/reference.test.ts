/** What answers are compared with. */

import { expect } from 'chai'
import type { ChatCapability, Safeguard, TranslationCapability } from '../../src/index.js'
import { chat, translation } from '../../src/index.js'
import { guard } from '../../src/guard/guard.js'
import { call, enforce, inspection, quiet, replace } from './support.js'

describe('the reference of an answer', () => {
  const policy = { name: 'both', input: { pii: replace }, output: { factuality: enforce } }

  /** Its references, and what it is asked through. */
  const listening = () => {
    const references: (string | undefined)[] = []
    const factuality: Safeguard = {
      inspect: ({ reference }) => {
        references.push(reference)
        return inspection({})
      },
    }
    return { references, context: { ...quiet, policy, detectors: { ...quiet.detectors, factuality } } }
  }

  it('is what the model read: of a stream', async () => {
    const { references, context } = listening()
    const backend: ChatCapability = {
      async *stream() {
        yield { delta: 'It is <SECRET>.' }
        yield await Promise.resolve({ finish: 'stop' as const })
      },
    }
    const request = { messages: [{ role: 'user' as const, content: 'pin 1234' }] }
    for await (const piece of guard(chat, backend, context).stream(request, call())) expect(piece).to.be.an('object')
    expect(references).to.deep.equal(['pin <SECRET>'])
  })

  it('is what the model read: of an answer in one piece', async () => {
    const { references, context } = listening()
    const service: TranslationCapability = {
      translate: () =>
        Promise.resolve({ candidates: [{ translation: 'Ja', score: 1, model: 'm', status: 'success' }] }),
      pairs: () => Promise.resolve({ pairs: [] }),
    }
    await guard(translation, service, context).translate({ text: 'pin 1234', source: 'en', target: 'de' }, call())
    expect(references).to.deep.equal(['pin <SECRET>'])
  })
})
