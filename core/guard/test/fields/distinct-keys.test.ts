/** Members of objects in whose keys something is replaced: none of them is lost, whatever the object is part of. */

import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatChunk, SpanDetector } from '@sallyport/core'
import { splitIntoChunks } from '@sallyport/testing'
import { guarded, listen, reply } from '../output/streams.js'
import { asked, exchange, finder, replace } from '../support.js'

const secret = /[stv]\d/g
const pii: SpanDetector = {
  ...finder(secret.source, 'S'),
  replace: ({ text }) => Promise.resolve({ text: text.replace(secret, '<S>'), spans: [] }),
}
const input = { input: { pii: replace } }

describe('keys of JSON', () => {
  const cases: [name: string, json: string, expected: string][] = [
    ['get numbers where they become equal', '{"s1":1, "t2" :2,"v3":3}', '{"<S>":1, "<S> 2" :2,"<S> 3":3}'],
    ['get numbers that are free', '{"s1":1,"<S> 2":2,"t2":3}', '{"<S>":1,"<S> 2":2,"<S> 3":3}'],
    ['get one where another stays', '{"s1":1,"\\u003cS>":2}', '{"<S> 2":1,"\\u003cS>":2}'],
    ['get numbers where they are escaped', '{"\\u00731":1,"t2\\n":2,"v3\\n":3}', '{"<S>":1,"<S>\\n":2,"<S>\\n 2":3}'],
    ['get numbers where they were equal', '{"s1":1,"s1":2}', '{"<S>":1,"<S> 2":2}'],
    ['are those of one object', '{"}{":{"s1":[{"t2":1}]},"v3":2}', '{"}{":{"<S>":[{"<S>":1}]},"<S>":2}'],
    ['get numbers behind objects inside', '{"s1":{"t2":[]},"v3":2}', '{"<S>":{"<S>":[]},"<S> 2":2}'],
    ['are not values', '{"a":"s1","b":["s1","s2"]}', '{"a":"<S>","b":["<S>","<S>"]}'],
    [
      'get numbers in strings of JSON',
      JSON.stringify({ a: '{"s1":1,"t2":2}' }),
      JSON.stringify({ a: '{"<S>":1,"<S> 2":2}' }),
    ],
    ['stay as they are', '{"a":"s1","b":1,"b":2}', '{"a":"<S>","b":1,"b":2}'],
  ]
  for (const [name, json, expected] of cases)
    it(name, async () => {
      expect(await asked({ messages: [{ role: 'user', content: json }] }, input, pii)).to.equal(expected)
    })

  it('get numbers where thousands become equal', async () => {
    const json = `{${'"s1":1,'.repeat(19_999)}"t2":1}`
    const heard = await asked({ messages: [{ role: 'user', content: json }] }, input, pii)
    expect(heard.endsWith(',"<S> 19999":1,"<S> 20000":1}')).to.equal(true)
  }).timeout(30_000)
})

describe('members with secrets in their keys', () => {
  const keys = fc.constantFrom(
    's1',
    't2',
    'v3',
    's1 2',
    'a s1',
    'a t2',
    '<S>',
    '<S> 2',
    'a <S>',
    'b',
    '__proto__',
    '"s1\\',
  )
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.constantFrom('s1', 'x', true), tie('object'), fc.array(tie('value'))),
    object: objectOf(tie('value')),
  }))
  const objects = objectOf(values)

  function objectOf(inner: fc.Arbitrary<unknown>) {
    return fc.array(fc.tuple(keys, inner), { maxLength: 8 }).map((members): unknown => Object.fromEntries(members))
  }

  const membersOf = (value: unknown) => Object.entries(value as Record<string, unknown>)

  /** Asserts that one is the other, with every secret replaced. */
  const expectReplaced = (value: unknown, original: unknown): void => {
    if (typeof original === 'string') expect(value).to.equal(original.replace(secret, '<S>'))
    if (typeof original !== 'object' || original === null) return
    const [members, before] = [membersOf(value), membersOf(original)]
    expect(members.length).to.equal(before.length)
    const numbers = new Map<string, number>()
    for (const [at, [key, inner]] of members.entries()) {
      const [oldKey, oldInner] = before[at]!
      const base = Array.isArray(original) ? oldKey : oldKey.replace(secret, '<S>')
      if (base === oldKey) expect(key).to.equal(oldKey)
      else {
        expect(key.startsWith(base)).to.equal(true)
        const number = Number(/^ (\d+)$/.exec(key.slice(base.length))?.[1] ?? 1)
        expect(key).to.equal(number === 1 ? base : `${base} ${number}`)
        expect(number).to.be.above(numbers.get(base) ?? 0)
        numbers.set(base, number)
      }
      expectReplaced(inner, oldInner)
    }
  }

  it('all stay, in values, in JSON, in arguments of calls and in answers however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(objects, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (object, sizes) => {
        const json = JSON.stringify(object)
        const toolCalls = [{ id: 'a', name: 'f', arguments: json }]
        const { asked: read } = await exchange(
          {
            messages: [
              { role: 'user', content: json },
              { role: 'assistant', content: '', toolCalls },
            ],
            tools: [{ name: 'f', parameters: object }],
          },
          { policy: input, detectors: { pii } },
        )
        const request = read!
        const [question, answer] = request.messages
        const replaced = question!.content as string
        expectReplaced(JSON.parse(replaced), object)
        expect(answer!.toolCalls?.[0]?.arguments).to.equal(replaced)
        expect(JSON.stringify(request.tools?.[0]?.parameters)).to.equal(replaced)

        const chunks = splitIntoChunks(json, sizes)
        const called = chunks.map((part): ChatChunk => ({ toolCall: { index: 0, arguments: part } }))
        const heard = await listen(
          guarded(reply([...chunks.map((delta) => ({ delta })), ...called]), { pii: replace }, { pii }),
        )
        expect(heard.said).to.equal(replaced)
        const said = heard.chunks.map((chunk) => ('toolCall' in chunk ? chunk.toolCall.arguments : ''))
        expect(said.join('')).to.equal(replaced)
      }),
      { numRuns: 200 },
    )
  }).timeout(60_000)
})
