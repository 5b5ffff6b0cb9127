import { expect } from 'chai'
import type { ChatChunk } from '@sallyport/core'
import { decodeChat } from '../src/wire/chat-chunks.js'
import type { JsonEvents } from '../src/wire/generation.js'
import { BadReply } from '../src/wire/read.js'
import { chunk, ends, says } from './support/answers.js'
import { collectChunks } from './support/models.js'

const decode = (...values: unknown[]): Promise<ChatChunk[]> => {
  const events: JsonEvents = {
    done: true,
    expectEnd: () => undefined,
    async *[Symbol.asyncIterator]() {
      for (const value of values) yield await Promise.resolve(value)
    },
  }
  return collectChunks(decodeChat(events, { messages: [] }))
}

const calls = (...tool_calls: object[]) => chunk({ tool_calls })
const call = (index: number | undefined, id: string | undefined, name: string | undefined, text?: string) => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
})

/** Calls with their arguments put together. */
const collected = (pieces: ChatChunk[]) => {
  const result: { id: string | undefined; name: string | undefined; arguments: string }[] = []
  for (const piece of pieces) {
    if (!('toolCall' in piece)) continue
    const { index, id, name, arguments: text } = piece.toolCall
    const known = result[index]
    if (known) known.arguments += text
    else result[index] = { id, name, arguments: text }
  }
  return result
}

const weather = { id: 'a', name: 'weather', arguments: '{"city":"Rome"}' }
const time = { id: 'b', name: 'time', arguments: '{}' }

describe('tool calls', () => {
  it('come as deltas by their index', async () => {
    const pieces = await decode(
      calls(call(0, 'a', 'weather', '')),
      calls(call(0, undefined, undefined, '{"city":')),
      calls(call(0, undefined, undefined, '"Rome"}'), call(1, 'b', 'time', '{}')),
      ends('tool_calls'),
    )
    expect(pieces[0]).to.deep.equal({ toolCall: { index: 0, id: 'a', name: 'weather', arguments: '' } })
    expect(pieces[1]).to.deep.equal({ toolCall: { index: 0, arguments: '{"city":' } })
    expect(collected(pieces)).to.deep.equal([weather, time])
    expect(pieces.at(-1)).to.deep.equal({ finish: 'tool_calls' })
  })

  for (const [name, values] of Object.entries({
    'whole, and numbered 0 each': [
      calls(call(0, 'a', 'weather', '{"city":"Rome"}')),
      calls(call(0, 'b', 'time', '{}')),
    ],
    'whole, and without numbers': [
      calls(call(undefined, 'a', 'weather', '{"city":"Rome"}')),
      calls(call(undefined, 'b', 'time', '{}')),
    ],
    'in pieces without numbers': [
      calls(call(undefined, 'a', 'weather', '{"city":')),
      calls(call(undefined, undefined, undefined, '"Rome"}')),
      calls(call(undefined, 'b', 'time', '{}')),
    ],
    'with a new id for each piece': [
      calls(call(0, 'a', 'weather', '')),
      calls(call(0, 'x', undefined, '{"city":')),
      calls(call(0, 'y', undefined, '"Rome"}')),
      calls(call(1, 'b', 'time', '{}')),
    ],
    'with the name in each piece': [
      calls(call(0, 'a', 'weather', '{"city":')),
      calls(call(0, 'a', 'weather', '"Rome"}')),
      calls(call(3, 'b', 'time', '{}')),
    ],
    'with arguments before the name': [
      calls(call(0, 'a', undefined, '{"city":')),
      calls(call(0, undefined, 'weather', '"Rome"}')),
      calls(call(1, 'b', 'time', '{}')),
    ],
  }))
    it(`come ${name}`, async () => {
      expect(collected(await decode(...values, ends('tool_calls')))).to.deep.equal([weather, time])
    })

  it('have arguments as JSON text where the server gives the object itself', async () => {
    const given = (index: number, name: string, value: object) => ({
      index,
      id: name,
      function: { name, arguments: value },
    })
    const pieces = await decode(
      calls(given(0, 'weather', { city: 'Rome', at: [1, null] }), given(1, 'time', {})),
      ends(),
    )
    expect(collected(pieces)).to.deep.equal([
      { id: 'weather', name: 'weather', arguments: '{"city":"Rome","at":[1,null]}' },
      { id: 'time', name: 'time', arguments: '{}' },
    ])
  })

  it('without ids get them, each its own', async () => {
    const [first, second] = collected(await decode(calls(call(0, '', 'a', ''), call(1, undefined, 'b', '')), ends()))
    expect(first?.id).to.match(/^call_/)
    expect(second?.id)
      .to.match(/^call_/)
      .and.not.equal(first?.id)
  })

  it('end with tool_calls even where the server says stop', async () => {
    expect((await decode(calls(call(0, 'a', 'b', '')), ends('stop'))).at(-1)).to.deep.equal({ finish: 'tool_calls' })
    expect((await decode(says('x'), ends('stop'))).at(-1)).to.deep.equal({ finish: 'stop' })
    expect((await decode(calls(call(0, 'a', 'b', '')), ends('length'))).at(-1)).to.deep.equal({ finish: 'length' })
  })

  for (const [name, value] of Object.entries({
    'have no name': calls(call(0, 'a', undefined, '{}')),
    'are no list': chunk({ tool_calls: 'x' }),
    'are no objects': chunk({ tool_calls: [7] }),
    'have arguments that are neither a text nor an object': calls({ index: 0, function: { name: 'a', arguments: [] } }),
    'are too many': calls(...Array.from({ length: 129 }, (_, index) => call(index, `${index}`, 'a', ''))),
  }))
    it(`that ${name} are a bad answer`, async () => {
      const error = await decode(value, ends()).catch((reason: unknown) => reason)
      expect(error).to.be.instanceOf(BadReply)
    })

  for (const id of ['My card is 4111 1111 1111 1111.', 'x'.repeat(129), 'a\nb', 'grüße', '\ud83d'])
    it(`have an id of ours where the server’s is no plain id (${JSON.stringify(id.slice(0, 12))})`, async () => {
      const pieces = await decode(
        calls(call(0, id, 'weather', '{"city":')),
        calls(call(0, id, 'weather', '"Rome"}')),
        calls(call(1, `${id}2`, 'time', '{}')),
        ends('tool_calls'),
      )
      const [first, second] = collected(pieces)
      expect(first).to.deep.include({ name: 'weather', arguments: '{"city":"Rome"}' })
      expect([first?.id, second?.id]).to.satisfy((ids: string[]) =>
        ids.every((each) => /^call_[\da-f-]{36}$/.test(each)),
      )
      expect(second?.id).not.to.equal(first?.id)
    })

  it('have no halves of surrogate pairs in names and arguments', async () => {
    const pieces = await decode(
      calls(call(0, 'a', 'n\ud83d', '"\ud83d')),
      calls(call(0, undefined, undefined, '\ude00\udc00"\ud83d')),
      ends('tool_calls'),
    )
    expect(collected(pieces)).to.deep.equal([{ id: 'a', name: 'n\ufffd', arguments: '"😀\ufffd"\ufffd' }])
  })
})
