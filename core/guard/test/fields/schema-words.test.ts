/** Words of a schema, which name nobody, beside texts, which may. */

import { expect } from 'chai'
import type { ChatRequest, SpanDetector, SpanRequest } from '@sallyport/core'
import { asked, exchange, piiFinder, replace } from '../support.js'

const inspected = async (request: ChatRequest): Promise<Record<string, boolean[]>> => {
  const texts: Record<string, boolean[]> = {}
  const found = piiFinder('1234')
  const pii: SpanDetector = {
    ...found,
    inspect: (one: SpanRequest, call) => {
      ;(texts[one.text] ??= []).push(one.isProgramName ?? false)
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
      mark: {
        enum: ['olive', 'Jane Miller', 'jane.miller@example.org', '張偉先生', 'Jane.Miller', 'Lily'],
        default: 'grace',
      },
      jane_miller_lives_at_12_baker_street: { const: 'firstName' },
      pointing: { $ref: '#/$defs/Rose/properties/iris' },
      speaking: { $ref: '#/$defs/Jane Miller' },
      elsewhere: { $ref: 'letters/of/jane' },
      FIRST_NAME: { const: 'Jane_Miller_lives_in_London' },
      title: { title: 'Rose', items: [{ const: 'violet' }], examples: ['iris'], 'x-owner': 'lily' },
    },
    required: ['mark'],
  }
  const tools = [{ name: 'frank', description: 'ruby', parameters }]

  for (const [text, expected] of [
    ['frank', [true]],
    ['mark', [true]],
    ['olive', [true]],
    ['violet', [true]],
    ['x-owner', [true]],
    ['jane.miller@example.org', [true]],
    ['Lily', [true]],
    ['firstName', [true]],
    ['FIRST_NAME', [true]],
    ['#/$defs/Rose/properties/iris', [true]],
    ['#/$defs/Jane Miller', [false]],
    ['letters/of/jane', [false]],
    ['Jane Miller', [false]],
    ['Jane.Miller', [false]],
    ['Jane_Miller_lives_in_London', [false]],
    ['jane_miller_lives_at_12_baker_street', [false]],
    ['張偉先生', [false]],
    ['Pascal', [false]],
    ['Rose', [false]],
    ['grace', [false]],
    ['iris', [false]],
    ['lily', [false]],
    ['ruby', [false]],
  ] as const)
    it(`is told from a text: ${text}`, async () => {
      expect((await inspected({ messages: [], tools }))[text]).to.deep.equal(expected)
    })

  it('is looked at as a text, too, where a message says the same', async () => {
    const texts = await inspected({ messages: [{ role: 'user', content: 'olive' }], tools })
    expect(texts['olive']).to.have.members([false, true])
  })

  it('is replaced where it is something whatever it stands in', async () => {
    const parameters = { enum: ['no1234'] }
    const request: ChatRequest = { messages: [{ role: 'user', content: 'hello' }], tools: [{ name: 'f', parameters }] }
    const { asked: read } = await exchange(request, { policy: { input: { pii: replace } } })
    const { tools } = read!
    expect(tools).to.deep.equal([{ name: 'f', parameters: { enum: ['no<SECRET>'] } }])
  })
})
