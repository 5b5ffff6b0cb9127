import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatChunk } from '@sallyport/core'
import { ReplyEvents } from '../src/client/events.js'
import { decodeChat } from '../src/wire/chat-chunks.js'
import { chunk, counts, ends, says } from './support/answers.js'
import { collectChunks } from './support/models.js'

const values = [
  chunk({ role: 'assistant', content: null }),
  chunk({ reasoning_content: 'Höchst' }),
  says('naïve 👩‍👩‍👧 日本 '),
  says('שלום \u2028\r\n"'),
  chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":"Zür' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: 'ich"}' } }] }),
  ends('tool_calls'),
  counts(7, 9, { prompt_tokens_details: { cached_tokens: 3 } }),
]

/** Ways in which servers write the same events. */
const styles: Record<string, (data: string) => string> = {
  'line feeds': (data) => `data: ${data}\n\n`,
  'carriage returns and line feeds': (data) => `data: ${data}\r\n\r\n`,
  'no space after the colon': (data) => `data:${data}\n\n`,
  'comments and other fields': (data) => `: ping\n\nevent: message\nid: 7\nretry: 10\ndata: ${data}\n\n:\n\n`,
}

const decode = (pieces: readonly Uint8Array[]): Promise<ChatChunk[]> => {
  async function* bytes() {
    for (const piece of pieces) yield await Promise.resolve(piece)
  }
  const events = new ReplyEvents({ bytes, expectEnd: () => undefined }, { stream: 1e6, event: 1e5 })
  return collectChunks(decodeChat(events, { messages: [] }))
}

const cutAt = (bytes: Uint8Array, positions: readonly number[]): Uint8Array[] => {
  const cuts = [0, ...[...positions].sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
}

describe('a stream’s bytes, however they are cut', () => {
  const datas = [...values.map((value) => JSON.stringify(value)), '[DONE]']

  for (const [name, style] of Object.entries(styles)) {
    const bytes = Buffer.from(datas.map(style).join(''))

    it(`give the same chunks at every single cut (${name})`, async () => {
      const whole = await decode([bytes])
      expect(whole.at(-1)).to.deep.equal({
        finish: 'tool_calls',
        usage: { promptTokens: 7, completionTokens: 9, cachedTokens: 3 },
      })
      for (let at = 0; at <= bytes.length; at += 1) expect(await decode(cutAt(bytes, [at]))).to.deep.equal(whole)
    })

    it(`give the same chunks at any cuts (${name})`, async () => {
      const whole = await decode([bytes])
      const cuts = fc.array(fc.nat(bytes.length), { maxLength: 60 })
      await fc.assert(
        fc.asyncProperty(cuts, async (positions) => {
          expect(await decode(cutAt(bytes, positions))).to.deep.equal(whole)
        }),
        { numRuns: 100 },
      )
    })
  }

  it('give the same chunks byte by byte', async () => {
    const bytes = Buffer.from(datas.map(styles['line feeds']!).join(''))
    expect(await decode([...bytes].map((byte) => Uint8Array.of(byte)))).to.deep.equal(await decode([bytes]))
  })
})
