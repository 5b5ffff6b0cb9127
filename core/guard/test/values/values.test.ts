/** What texts consist of that are read together, and where it stands. */

import { expect } from 'chai'
import fc from 'fast-check'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from '@sallyport/testing'
import { jsonValues } from '../../src/values/json-values.js'
import type { JsonValue } from '../../src/values/json-values.js'
import { edgeValues, adjacentGroups, valuesIn } from '../../src/values/values.js'

/** JSON of objects and lists, some of whose texts are JSON themselves. */
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

const pacer = new Pacer(testCall())

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
      together: ['1|a|2|b', '1|2| … |a|b'],
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
      const sequences = Array.from(adjacentGroups(await valuesIn(text, pacer)), (values) =>
        values.map((value) => value.text).join('|'),
      )
      expect(sequences).to.deep.equal(together)
    })

  it('is the ends of a long text, with where they stand', async () => {
    const text = `  first${' x'.repeat(5000)} last\n`
    const [value] = await edgeValues({ text, name: '', column: '' }, 0, pacer)
    expect(value!.text.length).to.be.below(1100)
    for (const word of ['first', 'last']) {
      const start = value!.text.indexOf(word)
      const span = value!.spanOf({ start, end: start + word.length })
      expect(text.slice(span.start, span.end)).to.equal(word)
    }
  })

  it('is read in parts where it is long, each with the last values of the one before', async () => {
    const text = JSON.stringify(Array.from({ length: 100 }, (_, at) => String(at).padEnd(1000, '.')))
    const parts = Array.from(adjacentGroups(await valuesIn(text, pacer)))
    expect(parts.length).to.be.above(5)
    for (const [at, part] of parts.entries())
      if (at > 0) expect(part.slice(0, 3)).to.deep.equal(parts[at - 1]!.slice(-3))
    expect(new Set(parts.flat()).size).to.equal(100)
  })

  it('is read in few parts where it has many columns', async () => {
    const row = (id: number) => Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`c${at}`, id]))
    const parts = Array.from(adjacentGroups(await valuesIn(JSON.stringify([row(1), row(2)]), pacer)))
    expect(parts.length).to.be.below(10)
    expect(Math.max(...parts.map((part) => part.length))).to.be.above(2000)
  })

  it('is the first of JSON that has more values than are read', async () => {
    const values = await edgeValues({ text: `[${'1,'.repeat(65_536)}2]`, name: '', column: '' }, 0, pacer)
    expect(values.map((value) => value?.text)).to.deep.equal([...Array<string>(6).fill('1'), undefined])
  })

  it('is the ends of long JSON', async () => {
    const values = await edgeValues(
      { text: JSON.stringify(Array.from({ length: 100 }, (_, at) => at)), name: '', column: '' },
      0,
      pacer,
    )
    expect(values.map((value) => value?.text).join(' ')).to.equal('0 1 2 3 4 5  94 95 96 97 98 99')
  })
})
