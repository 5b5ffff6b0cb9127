/** What a model says is what was asked for, or does not end as an answer. */

import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatChunk, ChatRequest } from '@sallyport/core'
import { bySchema, calling, collectedOutcome, outcomeOf, sharedChecker, text } from './support.js'

const city = {
  type: 'object',
  properties: { city: { type: 'string' }, size: { type: 'integer', minimum: 1 } },
  required: ['city'],
  additionalProperties: false,
}
const tools = [
  { name: 'weather', parameters: city, strict: true },
  { name: 'time', parameters: city },
]
const berlin = '{"city":"Berlin"}'
const json: Partial<ChatRequest> = { responseFormat: { type: 'json_object' } }

/** Its place and problem, or undefined where all is as it must be. */
type Case = [what: string, request: Partial<ChatRequest>, chunks: ChatChunk[], invalid?: string]

const cases: Case[] = [
  ['any text where none is asked for', {}, text('hi')],
  ['a JSON object', json, text(' {"a": 1}\n')],
  ['a list in the place of an object', json, text('[1]'), 'text: must be of the type object'],
  ['a text that is not JSON', json, text('```json\n{}\n```'), 'text: is not JSON'],
  ['no text', json, text(''), 'text: is not JSON'],
  [
    'a text beyond all measure',
    json,
    [{ delta: '{"a":"' }, ...Array.from({ length: 21 }, () => ({ delta: 'x'.repeat(100_000) })), { finish: 'length' }],
    'text: is longer than 2000000 characters',
  ],
  ['a text that was cut off', json, [{ delta: '{"a' }, { finish: 'length' }]],
  ['a text that was filtered', json, [{ delta: '{"a' }, { finish: 'content_filter' }]],
  ['reasoning beside it', json, [{ reasoning: 'hm' }, ...text('{}')]],
  ['an answer by the schema', bySchema(city), text('{"city":"Berlin","size":3}')],
  ['a missing property', bySchema(city), text('{}'), 'text: lacks "city"'],
  [
    'a number too small',
    bySchema(city),
    text('{"city":"Berlin","size":0}'),
    'text at $.size: does not fit the schema\'s "minimum"',
  ],
  ['a wrong type', bySchema(city, false), text('{"city":1}'), 'text at $.city: must be of the type string'],
  [
    'an unknown property, by no name',
    bySchema(city),
    text('{"city":"","secret":1}'),
    'text: has a property that the schema does not know',
  ],
  [
    'a value that is none of several',
    bySchema({ enum: ['a'] }),
    text('"b"'),
    'text: is none of the values that the schema allows',
  ],
  [
    'a place in a property that the schema does not name',
    bySchema({ additionalProperties: { items: { type: 'integer' } } }),
    text('{"secret":[1,"x"]}'),
    'text at $["*"][1]: must be of the type integer',
  ],
  [
    'depth beyond all measure',
    bySchema({ items: { $ref: '#' } }),
    text('['.repeat(200_000) + ']'.repeat(200_000)),
    'text: nests too deep to be checked',
  ],
  ['a format', bySchema({ format: 'email' }), text('"nobody"'), 'text: does not fit the schema\'s "format"'],
  [
    'a promise of another schema language',
    bySchema({ $async: true, type: 'string' }),
    text('1'),
    'text: must be of the type string',
  ],
  ['a call of a tool', { tools }, calling(['weather', berlin])],
  ['a call in the place of a text', { tools, ...json }, calling(['weather', berlin])],
  ['calls of several tools', { tools }, calling(['weather', berlin], ['time', berlin])],
  [
    'a call of a missing tool',
    { tools },
    calling(['secret', '{}']),
    'call 0: names a tool that the request does not allow',
  ],
  [
    'a call where there are no tools',
    {},
    calling(['weather', '{}']),
    'call 0: must not occur: the request allows no tool calls',
  ],
  [
    'a call where none may be',
    { tools, toolChoice: 'none' },
    calling(['time', '{}']),
    'call 0: must not occur: the request allows no tool calls',
  ],
  ['a text where no tool may be called', { tools, toolChoice: 'none' }, text('hi')],
  [
    'a text where a tool must be called',
    { tools, toolChoice: 'required' },
    text('hi'),
    ': has no tool call, though one is required',
  ],
  [
    'another tool than the one that must be called',
    { tools, toolChoice: { names: ['time'] } },
    calling(['weather', berlin]),
    'call 0: names a tool that the request does not allow',
  ],
  ['one of those that may be', { tools, toolChoice: { names: ['time', 'weather'] } }, calling(['time', berlin])],
  [
    'two calls where one is allowed',
    { tools, parallelToolCalls: false },
    calling(['time', '{}'], ['time', '{}']),
    'call 1: exceeds the limit of one tool call',
  ],
  ['one call where one is allowed', { tools, parallelToolCalls: false }, calling(['time', '{}'])],
  ['strict arguments that are not JSON', { tools }, calling(['weather', '{']), 'call 0, arguments: is not JSON'],
  [
    'strict arguments by another schema',
    { tools },
    calling(['time', '{}'], ['weather', '{}']),
    'call 1, arguments: lacks "city"',
  ],
  [
    'strict arguments of a tool without parameters',
    { tools: [{ name: 'f', strict: true }] },
    calling(['f', '[]']),
    'call 0, arguments: must be of the type object',
  ],
  ['other arguments, as the model wrote them', { tools }, calling(['time', '{"city":'])],
  ['a call that was cut off', { tools }, [...calling(['weather', '{"c']).slice(0, -1), { finish: 'length' }]],
  [
    'a call without a name',
    { tools },
    [{ toolCall: { index: 0, arguments: '{}' } }, { finish: 'tool_calls' }],
    'call 0: has no name of a tool',
  ],
]

const messageOf = (invalid: string | undefined, choice = 0) =>
  invalid === undefined
    ? undefined
    : `invalid_output: the model's answer is not what was asked for: choice ${choice}${invalid.startsWith(':') ? '' : ', '}${invalid}; ask again, or ask for less (a looser schema)`

/** A text as several chunks, of these lengths by turns. */
const cut = (chunk: ChatChunk, lengths: readonly number[]): ChatChunk[] => {
  const parts = (whole: string) => {
    const found: string[] = []
    for (let at = 0, turn = 0; at < whole.length; turn += 1) {
      const length = lengths[turn % lengths.length] ?? 1
      found.push(whole.slice(at, at + length))
      at += length
    }
    return found.length ? found : ['']
  }
  if ('delta' in chunk) return parts(chunk.delta).map((delta) => ({ ...chunk, delta }))
  if (!('toolCall' in chunk)) return [chunk]
  const { index, arguments: said, ...head } = chunk.toolCall
  return parts(said).map((part, at) => ({ ...chunk, toolCall: { index, ...(at ? {} : head), arguments: part } }))
}

describe('an answer', () => {
  const checker = sharedChecker()

  for (const [what, request, chunks, invalid] of cases)
    it(`${invalid === undefined ? 'may be' : 'is refused for'} ${what}`, async () => {
      const { left, error } = await outcomeOf(checker.current, request, chunks)
      expect(error).to.equal(messageOf(invalid))
      if (error === undefined) expect(left).to.deep.equal(chunks)
      else expect(left.some((chunk) => 'finish' in chunk)).to.equal(false)
      expect((await collectedOutcome(checker.current, request, chunks)).error).to.equal(error)
    })

  it('passes as it comes, and waits only at its end', async () => {
    const { left } = await outcomeOf(checker.current, bySchema(city), [
      { delta: '{"si' },
      { delta: 'ze":1}' },
      { finish: 'stop' },
    ])
    expect(left).to.deep.equal([{ delta: '{"si' }, { delta: 'ze":1}' }])
  })

  it('is refused for one of its choices, however they come', async () => {
    const choices = [text('{"city":"a"}'), text('{"size":1}')]
    const labelled = choices.flatMap((chunks, choice) => chunks.map((chunk) => ({ ...chunk, choice })))
    const [a, endOfA, b, endOfB] = labelled as [ChatChunk, ChatChunk, ChatChunk, ChatChunk]
    for (const chunks of [labelled, [a, b, endOfA, endOfB], [b, a, endOfA, endOfB]]) {
      const { error, left } = await outcomeOf(checker.current, { n: 2, ...bySchema(city) }, chunks)
      expect(error).to.equal(messageOf('text: lacks "city"', 1))
      expect(left.filter((chunk) => 'finish' in chunk)).to.deep.equal([endOfA])
    }
  })

  it('comes to the same in whatever chunks it comes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cases.filter(([, , chunks]) => JSON.stringify(chunks).length < 1000)),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }),
        async ([, request, chunks, invalid], lengths) => {
          const { error } = await outcomeOf(
            checker.current,
            request,
            chunks.flatMap((chunk) => cut(chunk, lengths)),
          )
          expect(error).to.equal(messageOf(invalid))
        },
      ),
      { numRuns: 100 },
    ))
})
