/** Ways to write a text so that it looks like another one, and what stays of it. */

import { expect } from 'chai'
import type { SpanDetector } from '@sallyport/core'
import { asked, echo, enforce, finder, piiFinder, replace, run } from '../support.js'
import type { PiiPolicy } from '../support.js'

const nested = (layers: number, text: string): string =>
  layers === 0 ? text : JSON.stringify({ q: nested(layers - 1, text) })

describe('a text with escapes', () => {
  const replaced: { name: string; content: string; heard: string }[] = [
    { name: 'a number', content: '{"pin": 991234}', heard: '{"pin": "99<SECRET>"}' },
    { name: 'a string with escapes', content: '{"pin": "\\u0031234"}', heard: '{"pin": "<SECRET>"}' },
    { name: 'a key', content: '[{"1234": true}]', heard: '[{"<SECRET>": true}]' },
    {
      name: 'JSON in a string of JSON',
      content: '{"a": "{\\"b\\": \\"\\\\u0031234\\"}"}',
      heard: '{"a": "{\\"b\\": \\"<SECRET>\\"}"}',
    },
    { name: 'a number in such JSON', content: '{"a": "{\\"b\\": 1234}"}', heard: '{"a": "{\\"b\\": \\"<SECRET>\\"}"}' },
    {
      name: 'a number three layers deep',
      content: nested(2, '{"b":1234}'),
      heard: nested(2, '{"b":"<SECRET>"}'),
    },
    { name: 'one of two equal keys', content: '{"a":"1234","a":"x"}', heard: '{"a":"<SECRET>","a":"x"}' },
    {
      name: 'nothing but the finding',
      content: '{"id":98765432109876543210,"f":1.0,"pin":"x 1234"}',
      heard: '{"id":98765432109876543210,"f":1.0,"pin":"x <SECRET>"}',
    },
    {
      name: 'escapes outside JSON',
      content: '```json\n{"a": "\\u0031234",}\n```',
      heard: '```json\n{"a": "<SECRET>",}\n```',
    },
    { name: 'an entity', content: 'pin &#49;2&#x33;4 &amp; so', heard: 'pin <SECRET> &amp; so' },
    { name: 'what an address escapes', content: '/?pin=%31234%20', heard: '/?pin=<SECRET>%20' },
    { name: 'what is written in tags', content: 'pin \u{e0031}\u{e0032}34', heard: 'pin <SECRET>' },
    { name: 'lines of JSON', content: '{"a":1}\n{"a":"\\u0031234"}', heard: '{"a":1}\n{"a":"<SECRET>"}' },
    { name: 'nothing', content: '{"pin":  "none"}', heard: '{"pin":  "none"}' },
  ]
  for (const { name, content, heard } of replaced)
    it(`has ${name} replaced, and stays as it is otherwise`, async () => {
      expect(await asked({ messages: [{ role: 'user', content }] }, { input: { pii: replace } })).to.equal(heard)
    })

  const hiding: [string, string][] = [
    ['one of two equal keys', '{"a":"\\u0031234","a":"x"}'],
    ['a number that a computer rounds', '{"c":4000000000000001234}'],
    ['two layers', nested(2, '"1234"').replaceAll('1234', '\\\\u0031234')],
    ['five layers', nested(5, '{"a":"\\u0031234"}')],
    [
      'a list of many texts',
      JSON.stringify([...Array.from({ length: 300 }, (_, at) => `text ${at}`), '{"a":"\\u0031234"}']),
    ],
    ['a comma too many', '{"a":"\\u0031234",}'],
    ['a string of its own', '"\\u0031234"'],
    ['a mark before it', '\uFEFF{"a":"\\u0031234"}'],
    ['text around it', 'see {"a":"\\u0031234"} there'],
  ]
  const block: PiiPolicy = { ...replace, action: 'block' }
  for (const [name, content] of hiding)
    it(`hides nothing in ${name}`, async () => {
      const messages = [{ role: 'user' as const, content }]
      expect(await asked({ messages }, { input: { pii: block } })).to.equal('pii detected')
      const { error } = await run(content, { input: { injection: enforce } }, { injection: finder('1234', 'x') })
      expect(error).to.equal('prompt injection detected')
    })

  const beside: { name: string; content: string; heard: string }[] = [
    { name: 'a line end', content: '{"a":"hi\\njo@x.org"}', heard: '{"a":"hi\\n<SECRET>"}' },
    { name: 'a tab', content: '["\\tjo@x.org\\r\\n"]', heard: '["\\t<SECRET>\\r\\n"]' },
    { name: 'a backslash', content: '["\\\\njo@x.org"]', heard: '["\\\\<SECRET>"]' },
    { name: 'a code', content: '["\\u000ajo@x.org"]', heard: '["\\u000a<SECRET>"]' },
    { name: 'a letter by its code', content: '["\\u006ajo@x.org"]', heard: '["<SECRET>"]' },
    {
      name: 'a line end in a fence',
      content: '```\n{"a":"hi\\njo@x.org"}\n```',
      heard: '```\n{"a":"hi\\n<SECRET>"}\n```',
    },
    { name: 'a line end in source code', content: 'f("hi\\njo@x.org")', heard: 'f("hi\\n<SECRET>")' },
    { name: 'a step of a path that is no escape', content: 'C:\\ujo@x.org', heard: 'C:\\<SECRET>' },
    { name: 'a line end, two layers deep', content: nested(2, 'hi\njo@x.org'), heard: nested(2, 'hi\n<SECRET>') },
  ]
  const addresses: SpanDetector = {
    ...finder('[a-z\\d]+@[a-z.]+', 'SECRET'),
    replace: ({ text, findings }) =>
      Promise.resolve({
        text: findings.reduceRight((rest, { start, end }) => `${rest.slice(0, start)}<SECRET>${rest.slice(end)}`, text),
        spans: [],
      }),
  }
  for (const { name, content, heard } of beside)
    it(`is replaced behind ${name}, which stays`, async () => {
      const model = echo()
      await run(content, { input: { pii: replace } }, { pii: addresses }, model)
      expect(model.seen).to.deep.equal([heard])
    })

  const labelled: [name: string, content: string, heard: string][] = [
    ['the whole of it', '{"SSN":"[\\"21\\"]"}', '{"SSN":"[\\"<SECRET>\\"]"}'],
    [
      'a part of it',
      '{"SSN":"[\\"21\\",\\"jo@x.org\\"]","n":"21"}',
      '{"SSN":"[\\"<SECRET>\\",\\"<SECRET>\\"]","n":"21"}',
    ],
    ['a number of it', '{"SSN":"{\\"n\\":21}"}', '{"SSN":"{\\"n\\":\\"<SECRET>\\"}"}'],
    ['what is escaped in it', '{"SSN":"[\\"\\\\u00321\\"]"}', '{"SSN":"[\\"<SECRET>\\"]"}'],
    [
      'JSON in it',
      JSON.stringify({ SSN: JSON.stringify({ a: JSON.stringify([21]) }), n: 21 }),
      JSON.stringify({ SSN: JSON.stringify({ a: JSON.stringify(['<SECRET>']) }), n: 21 }),
    ],
  ]
  const labels = { ...addresses, ...finder('(?<=SSN\\W{1,9}(?:a\\W{1,20}|n\\W{1,9})?)\\d\\d|[a-z]+@[a-z.]+', 'SECRET') }
  for (const [name, content, heard] of labelled)
    it(`is replaced in JSON in a string that a key outside tells: ${name}`, async () => {
      const model = echo()
      await run(content, { input: { pii: replace } }, { pii: labels }, model)
      expect(model.seen).to.deep.equal([heard])
    })

  it('is blocked where it begins in JSON in a string, and ends outside of it', async () => {
    const { error } = await run(
      '["[12]",34]',
      { input: { pii: replace } },
      { pii: { ...addresses, ...finder('12\\W+34', 'SECRET') } },
    )
    expect(error).to.equal('pii detected')
  })

  it('is blocked where the finding is all of the JSON', async () => {
    const { error } = await run('[{"a": 1}]', { input: { pii: replace } }, { pii: piiFinder('^\\[.*\\]$') })
    expect(error).to.equal('pii detected')
  })

  it('may be nested as deep as it likes', async () => {
    const content = '['.repeat(100_000) + '1234' + ']'.repeat(100_000)
    const heard = await asked({ messages: [{ role: 'user', content }] }, { input: { pii: replace } })
    expect(heard).to.equal(content.replace('1234', '"<SECRET>"'))
  })

  const unreadable = `1234 ${'\\"'.repeat(2 ** 17 + 1)}`
  for (const stage of ['injection', 'pii'] as const)
    it(`fails the check of ${stage} where there are too many of them`, async () => {
      const messages = [{ role: 'user' as const, content: unreadable }]
      const input = stage === 'pii' ? { pii: replace } : { injection: enforce }
      expect(await asked({ messages }, { input })).to.equal(`safeguard unavailable: ${stage}`)
      const open =
        stage === 'pii'
          ? { pii: { ...replace, onFailure: 'open' as const } }
          : { injection: { ...enforce, onFailure: 'open' as const } }
      expect(await asked({ messages }, { input: open })).not.to.contain('unavailable')
    })
})
