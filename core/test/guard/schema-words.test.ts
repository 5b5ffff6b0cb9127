/** Words of a schema, which name nobody, beside texts, which may. */

import { expect } from 'chai'
import type { ChatRequest, PiiCapability, PiiInspectionRequest } from '../../src/index.js'
import { asked, piiFinder, replace } from './support.js'

const inspected = async (request: ChatRequest): Promise<Record<string, boolean[]>> => {
  const texts: Record<string, boolean[]> = {}
  const found = piiFinder('1234')
  const pii: PiiCapability = {
    ...found,
    inspect: (one: PiiInspectionRequest, call) => {
      ;(texts[one.text] ??= []).push(one.word ?? false)
      return found.inspect(one, call)
    },
  }
  await asked(request, { input: { pii: replace } }, pii)
  return texts
}

describe('a word of a schema', () => {
  const parameters = {
    description: 'Pascal',
    properties: {
      mark: { enum: ['olive', 'Jane Miller', 'jane.miller@example.org', '張偉先生'], default: 'grace' },
      title: { title: 'Rose', items: [{ const: 'violet' }] },
    },
    required: ['mark'],
  }
  const tools = [{ name: 'frank', description: 'ruby', parameters }]

  for (const [text, expected] of [
    ['mark', [true]],
    ['olive', [true]],
    ['grace', [true]],
    ['violet', [true]],
    ['jane.miller@example.org', [true]],
    ['Jane Miller', [false]],
    ['張偉先生', [false]],
    ['Pascal', [false]],
    ['Rose', [false]],
    ['frank', [false]],
    ['ruby', [false]],
  ] as const)
    it(`is told from a text: ${text}`, async () => {
      expect((await inspected({ messages: [], tools }))[text]).to.deep.equal(expected)
    })

  it('is looked at as a text, too, where a message says the same', async () => {
    const texts = await inspected({ messages: [{ role: 'user', content: 'olive' }], tools })
    expect(texts['olive']).to.have.members([false, true])
  })

  it('is replaced by itself where it is something whatever it stands in', async () => {
    const heard = await asked(
      { messages: [{ role: 'user', content: 'call 1234' }], tools: [{ name: 'f', parameters: { enum: ['no1234'] } }] },
      { input: { pii: { ...replace, action: 'block' } } },
    )
    expect(heard).to.equal('pii detected')
  })
})
