/** Values that are read together: which they are, where they stand, and what the chain makes of what is found in them. */

import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatChunk, ChatMessage, Inspection, PiiCapability } from '../../src/index.js'
import { noChecks } from '../../src/guard/effective-policy.js'
import { guard } from '../../src/guard/guard.js'
import type { Policy, Verdict } from '../../src/guard/policy.js'
import { jsonValues } from '../../src/guard/values/json-values.js'
import type { JsonValue } from '../../src/guard/values/json-values.js'
import { edgesOf, sequencesOf, valuesIn } from '../../src/guard/values/values.js'
import { chat } from '../../src/index.js'
import { Pacer } from '../../src/async/pacer.js'
import { call, inspection, piiFinder, quiet, replace } from './support.js'

/** Of objects and lists, texts that are JSON among them. */
const json = fc
  .oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.jsonValue({ maxDepth: 2 }).map((value) => [JSON.stringify(value), 'x']),
  )
  .map((value) => JSON.stringify([value], null, 1))

const stringsAndNumbers = (value: unknown): string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...stringsAndNumbers(inner),
  ])
}

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object' && JSON.parse(text) !== null
  } catch {
    return false
  }
}

const pacer = new Pacer(call())

const all = async (text: string): Promise<JsonValue[]> => {
  const values: JsonValue[] = []
  for await (const value of jsonValues(text, pacer)) values.push(value)
  return values
}

describe('values of JSON', () => {
  it('are all strings and numbers, in their order', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const texts = stringsAndNumbers([value])
        fc.pre(!texts.some(isJson))
        const values = await all(JSON.stringify([value]))
        expect(values.map(({ text }) => Number(text) || text)).to.deep.equal(texts.map((text) => Number(text) || text))
      }),
    ))

  it('stand where they say', () =>
    fc.assert(
      fc.asyncProperty(json, async (text) => {
        for (const value of await all(text)) {
          const { start, end } = value.spanOf({ start: 0, end: value.text.length })
          const written = text.slice(start, end)
          let read = written
          for (let depth = 0; depth < value.depth; depth += 1) read = JSON.parse(`"${read}"`) as string
          expect(read).to.equal(value.text)
        }
      }),
    ))

  it('have the names of their keys', async () => {
    const values = await all('{"a": 1, "b": [2, {"c": "x"}, "y"], "d": "[\\"z\\"]"}')
    expect(values.filter(({ isKey }) => !isKey).map(({ name, text }) => `${name} ${text}`)).to.deep.equal([
      ...['a 1', 'b 2', 'c x', 'b y', 'd z'],
    ])
  })
})

describe('what is read together', () => {
  const cases: { name: string; json: string; together: string[] }[] = [
    { name: 'neighbours of a list', json: '["a", ["b", 1], null, " c "]', together: ['a|b|1|c'] },
    { name: 'values without their keys', json: '{"k": "a", "l": {"m": "b"}}', together: ['a|b'] },
    {
      name: 'keys that are no words, and with their values',
      json: '{"k": "a", "l.1": "b"}',
      together: ['a|b', 'a|l.1|b', 'k|l.1'],
    },
    {
      name: 'what stands under one name',
      json: '[{"k": 1, "l": "a"}, {"k": 2, "l": "b"}]',
      together: ['1|a|2|b', '1|2', 'a|b'],
    },
    { name: 'JSON between fences', json: 'So:\n```json\n{"k": "a",\n "l": "b"}\n```\n[x]', together: ['a|b'] },
    { name: 'JSON behind words', json: 'Here it is: {"k": "a", "l": "b"}.', together: ['a|b'] },
    { name: 'lines of JSON', json: '{"k": "a"}\n{"l": "b"}\r\n[1, 2]\n', together: ['a|b|1|2'] },
    { name: 'lines of JSON apart', json: '["a", "b"]\nand\n[1, 2]', together: ['a|b', '1|2'] },
    { name: 'nothing of brackets in prose', json: 'See [1] and [a](b), {c}.\n[x, y]', together: [] },
    { name: 'nothing of a single value', json: '{"k": ["a", ""]}', together: [] },
  ]
  for (const { name, json: text, together } of cases)
    it(`is ${name}`, async () => {
      const sequences = Array.from(sequencesOf(await valuesIn(text, pacer)), (values) =>
        values.map((value) => value.text).join('|'),
      )
      expect(sequences).to.deep.equal(together)
    })

  it('is the ends of a long text, with where they stand', async () => {
    const text = `  first${' x'.repeat(5000)} last\n`
    const [value] = await edgesOf({ text, name: '', column: '' }, 0, pacer)
    expect(value!.text.length).to.be.below(1100)
    for (const word of ['first', 'last']) {
      const start = value!.text.indexOf(word)
      const span = value!.spanOf({ start, end: start + word.length })
      expect(text.slice(span.start, span.end)).to.equal(word)
    }
  })

  it('is read in parts where it is long, each with the last values of the one before', async () => {
    const text = JSON.stringify(Array.from({ length: 100 }, (_, at) => String(at).padEnd(1000, '.')))
    const parts = Array.from(sequencesOf(await valuesIn(text, pacer)))
    expect(parts.length).to.be.above(5)
    for (const [at, part] of parts.entries())
      if (at > 0) expect(part.slice(0, 3)).to.deep.equal(parts[at - 1]!.slice(-3))
    expect(new Set(parts.flat()).size).to.equal(100)
  })

  it('is the ends of long JSON', async () => {
    const values = await edgesOf(
      { text: JSON.stringify(Array.from({ length: 100 }, (_, at) => at)), name: '', column: '' },
      0,
      pacer,
    )
    expect(values.map((value) => value?.text).join(' ')).to.equal('0 1 2 3 4 5  94 95 96 97 98 99')
  })
})

/** Finds it in joined values, and what may go on is open. */
const across = (secret: string, asked: string[][] = []): PiiCapability => ({
  ...piiFinder(secret),
  openSpans: ({ text }) => Promise.resolve({ spans: [{ start: 0, end: text.endsWith('.') ? 0 : text.length }] }),
  replace: ({ text, findings }) => {
    const { start = 0, end = 0 } = findings[0] ?? {}
    return Promise.resolve({ text: `${text.slice(0, start)}<SECRET>${text.slice(end)}`, spans: [] })
  },
  inspectAcross: ({ values }) => {
    asked.push(values.map(({ text }) => text))
    const start = values
      .map(({ text }) => text)
      .join('')
      .indexOf(secret)
    const findings = start < 0 ? [] : [{ type: 'SECRET', start, end: start + secret.length, score: 1 }]
    return inspection({ findings, score: findings.length ? 1 : 0 })
  },
})

const user = (content: string): ChatMessage => ({ role: 'user', content })

const talk = async (
  policy: Partial<Policy>,
  pii: PiiCapability,
  messages: ChatMessage[],
  says: ChatChunk[] = [],
): Promise<{ heard: ChatMessage[]; said: ChatChunk[]; error?: string; verdicts: Verdict[] }> => {
  let heard: ChatMessage[] = []
  const verdicts: Verdict[] = []
  const backend = {
    async *stream(request: { messages: ChatMessage[] }): AsyncGenerator<ChatChunk> {
      heard = request.messages
      for (const piece of says) yield await Promise.resolve(piece)
      yield { finish: 'stop' }
    },
  }
  const context = { ...quiet, policy: { ...noChecks, ...policy }, detectors: { ...quiet.detectors, pii } }
  const guarded = guard(chat, backend, { ...context, onVerdict: (verdict) => verdicts.push(verdict) })
  const said: ChatChunk[] = []
  try {
    for await (const piece of guarded.stream({ messages }, call())) said.push(piece)
    return { heard, said, verdicts }
  } catch (error) {
    return { heard, said, verdicts, error: (error as Error).message }
  }
}

describe('a detector that reads values together', () => {
  const halves = [user('it is ab'), user('cd.')]

  it('is asked about neighbours, and its parts are replaced in each', async () => {
    const { heard, verdicts } = await talk({ input: { pii: replace } }, across('abcd'), halves)
    expect(heard.map(({ content }) => content)).to.deep.equal(['it is <SECRET>', '<SECRET>.'])
    expect(verdicts.filter(({ findings }) => findings)).to.have.length(1)
  })

  const faults: { name: string; answers: () => Promise<Inspection> }[] = [
    { name: 'fails', answers: () => Promise.reject(new Error('boom')) },
    {
      name: 'finds something beyond the values',
      answers: () => inspection({ findings: [{ type: 'SECRET', start: 0, end: 99, score: 1 }], score: 1 }),
    },
  ]
  for (const { name, answers } of faults)
    it(`blocks where it ${name}, unless failures pass`, async () => {
      const failing = { ...across('abcd'), inspectAcross: answers }
      expect((await talk({ input: { pii: replace } }, failing, halves)).error).to.equal('safeguard unavailable: pii')
      const open = { ...replace, onFailure: 'open' } as const
      expect((await talk({ input: { pii: open } }, failing, halves)).heard).to.deep.equal(halves)
    })

  it('is asked about values with marks of emphasis undone, and each keeps its part', async () => {
    const { heard } = await talk({ input: { pii: replace } }, across('123-\u200b45\u200b-6789'), [
      user('{"a":"123-*45*-","b":"6789"}'),
    ])
    expect(heard.map(({ content }) => content)).to.deep.equal(['{"a":"<SECRET>","b":"<SECRET>"}'])
  })

  it('replaces it in JSON that is a part of the text', async () => {
    const { heard } = await talk({ input: { pii: replace } }, across('abcd'), [user('So: {"a":"ab","b":"cd"}.')])
    expect(heard.map(({ content }) => content)).to.deep.equal(['So: {"a":"<SECRET>","b":"<SECRET>"}.'])
  })

  it('finds nothing of a type that is ignored', async () => {
    const { heard } = await talk({ input: { pii: { ...replace, ignore: ['SECRET'] } } }, across('abcd'), halves)
    expect(heard).to.deep.equal(halves)
  })

  describe('of more values than can be read', () => {
    const many = JSON.stringify(Array.from({ length: 65_537 }, () => 1))

    it('refuses the text, unless failures pass', async () => {
      expect((await talk({ input: { pii: replace } }, across('abcd'), [user(many)])).error).to.equal(
        'safeguard unavailable: pii',
      )
      const open = { ...replace, onFailure: 'open' } as const
      expect((await talk({ input: { pii: open } }, across('abcd'), [user(many)])).heard).to.deep.equal([user(many)])
    })

    it('gives others turns in between', async () => {
      let turns = 0
      const timer = setInterval(() => (turns += 1), 1)
      await all(`[${'1,'.repeat(300_000)}1]`)
      clearInterval(timer)
      expect(turns).to.be.above(0)
    })
  })

  it('is not asked about a text alone, nor one that does not know how', async () => {
    const asked: string[][] = []
    await talk({ input: { pii: replace } }, across('abcd', asked), [user('it is abcd.')])
    expect(asked).to.deep.equal([])
    const { heard } = await talk({ input: { pii: replace } }, piiFinder('abcd'), [user('ab'), user('x'), user('cd')])
    expect(heard.map(({ content }) => content)).to.deep.equal(['ab', 'x', 'cd'])
  })

  const answers: { name: string; says: ChatChunk[]; said: ChatChunk[] }[] = [
    {
      name: 'texts of each choice by themselves',
      says: [
        { choice: 0, reasoning: 'it is ab' },
        { choice: 1, reasoning: 'no' },
        { choice: 1, delta: 'cd.' },
        { choice: 0, delta: 'cd' },
      ],
      said: [
        { choice: 0, reasoning: 'it is <SECRET>' },
        { choice: 1, reasoning: 'no' },
        { choice: 1, delta: 'cd.' },
        { choice: 0, delta: '<SECRET>' },
      ],
    },
    {
      name: 'a text that goes on behind another',
      says: [{ reasoning: 'it is a' }, { delta: 'cd' }, { reasoning: 'b' }, { delta: '!' }],
      said: [{ reasoning: 'it is <SECRET>' }, { delta: '<SECRET>!' }, { reasoning: '' }, { delta: '' }],
    },
    {
      name: 'nothing across what is complete',
      says: [{ reasoning: 'it is ab.' }, { delta: 'cd' }],
      said: [{ reasoning: 'it is ab.' }, { delta: 'cd' }],
    },
  ]
  for (const { name, says, said } of answers)
    it(`reads of an answer ${name}`, async () => {
      const { said: heard } = await talk({ output: { pii: replace } }, across('abcd'), [user('hi')], says)
      expect(heard.filter((piece) => !('finish' in piece))).to.have.deep.members(said)
    })

  it('lets nothing of an answer out that it blocks', async () => {
    const block = { ...replace, action: 'block' } as const
    const says: ChatChunk[] = [{ reasoning: 'One.' }, { reasoning: ' Then ab' }, { delta: 'cd' }]
    const { said, error } = await talk({ output: { pii: block } }, across('abcd'), [user('hi')], says)
    expect(error).to.equal('pii detected')
    expect(JSON.stringify(said)).to.not.match(/ab|cd/)
  })
})
