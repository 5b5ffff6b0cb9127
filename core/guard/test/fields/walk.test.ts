import { expect } from 'chai'
import { chat, inference } from '@sallyport/core'
import type { AnyFields } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { rewriteTexts, textsOf } from '../../src/fields/walk.js'

const chatInput = chat.methods['stream']!.input
const chatOutput = chat.methods['stream']!.output

describe('texts of a value', () => {
  const cases: { name: string; fields: AnyFields; value: unknown; texts: [string, string][] }[] = [
    {
      name: 'finds string content',
      fields: chatInput,
      value: { messages: [{ role: 'user', content: 'hello' }] },
      texts: [['messages[0].content', 'hello']],
    },
    {
      name: 'finds the text of parts and leaves images alone',
      fields: chatInput,
      value: {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'what is this?' },
              { type: 'image', image: new Uint8Array(3), mediaType: 'image/png' },
            ],
          },
        ],
      },
      texts: [['messages[0].content[0].text', 'what is this?']],
    },
    {
      name: 'leaves words of JSON Schema alone, but only where they are its words',
      fields: chatInput,
      value: {
        messages: [],
        tools: [
          {
            name: 'f',
            parameters: {
              type: ['object', 'jane'],
              properties: { unit: { type: 'string', enum: ['integer'] } },
              description: 'd',
            },
          },
        ],
      },
      texts: [
        ['tools[0].name', 'f'],
        ['tools[0].parameters.type[1]', 'jane'],
        ['tools[0].parameters.properties.unit', 'unit'],
        ['tools[0].parameters.properties.unit.enum[0]', 'integer'],
        ['tools[0].parameters.description', 'd'],
      ],
    },
    {
      name: 'finds every string and key of a value of unknown type',
      fields: chatInput,
      value: { messages: [], tools: [{ name: 'f', parameters: { a: { b: ['c', 1] } } }] },
      texts: [
        ['tools[0].name', 'f'],
        ['tools[0].parameters.a', 'a'],
        ['tools[0].parameters.a.b', 'b'],
        ['tools[0].parameters.a.b[0]', 'c'],
        ['tools[0].parameters.a.b[1]', '1'],
      ],
    },
    {
      name: 'leaves opaque leaves out',
      fields: chatInput,
      value: { messages: [{ role: 'user', content: [{ type: 'image', mediaType: 'image/png' }] }] },
      texts: [],
    },
    {
      name: 'walks records by their star',
      fields: inference.methods['run']!.output,
      value: { outputs: { constructor: { type: 'FP32', shape: [1], data: new Uint8Array(4) } } },
      texts: [],
    },
    {
      name: 'finds the keys of records that hold text',
      fields: { notes: { '*': 'text' }, sizes: { '*': { opaque: 'a number' } } },
      value: { notes: { about: 'a' }, sizes: { about: 'b' } },
      texts: [
        ['notes.about', 'about'],
        ['notes.about', 'a'],
      ],
    },
    {
      name: 'finds deltas and copies in chunks',
      fields: chatOutput,
      value: { delta: 'a', logprobs: [{ token: 'a', logprob: -1, top: [{ token: 'b', logprob: -2 }] }] },
      texts: [
        ['delta', 'a'],
        ['logprobs[0].token', 'a'],
        ['logprobs[0].top[0].token', 'b'],
      ],
    },
    { name: 'finds nothing in nothing', fields: chatInput, value: undefined, texts: [] },
  ]
  for (const { name, fields, value, texts } of cases)
    it(name, () => {
      expect(textsOf(fields, value).map(({ path, text }) => [showPath(path), text])).to.deep.equal(texts)
    })
})

describe('rewriting texts', () => {
  it('does not touch the original', () => {
    const request = { messages: [{ role: 'user', content: 'hello' }], reasoningEffort: 'low' }
    const copy = rewriteTexts(chatInput, request, ({ text }) => text.toUpperCase())
    expect(copy).to.deep.equal({ messages: [{ role: 'user', content: 'HELLO' }], reasoningEffort: 'low' })
    expect(request.messages[0]!.content).to.equal('hello')
  })

  it('leaves members out without numbering those that stay', () => {
    const parameters = { a: '1', b: '2' }
    const copy = rewriteTexts(chatInput, { tools: [{ name: 'f', parameters }] }, ({ text }) =>
      text === 'a' ? undefined : text,
    )
    expect(copy).to.deep.equal({ tools: [{ name: 'f', parameters: { b: '2' } }] })
  })

  it('loses no member whose new key is that of another', () => {
    const parameters = { 'a@x.com': 1, 'b@x.com': 2, '<MAIL> 2': 3, d: { 'c@x.com': 4 } }
    const copy = rewriteTexts(chatInput, { tools: [{ name: 'f', parameters }] }, ({ text }) =>
      text.replace(/.@x\.com/, '<MAIL>'),
    )
    const masked = { '<MAIL>': 1, '<MAIL> 3': 2, '<MAIL> 2': 3, d: { '<MAIL>': 4 } }
    expect(copy).to.deep.equal({ tools: [{ name: 'f', parameters: masked }] })
  })

  it('keeps a key called __proto__ a key', () => {
    const parameters: unknown = JSON.parse('{"__proto__": {"admin": "yes"}}')
    const copy = rewriteTexts(chatInput, { tools: [{ name: 'f', parameters }] }, ({ text }) => text) as {
      tools: { parameters: object }[]
    }
    expect(Object.keys(copy.tools[0]!.parameters)).to.deep.equal(['__proto__'])
    expect((copy.tools[0]!.parameters as { admin?: string }).admin).to.equal(undefined)
  })
})
