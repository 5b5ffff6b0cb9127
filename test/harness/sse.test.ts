import { expect } from 'chai'
import { EventParser } from '../bench/client/sse.js'

describe('parser of server-sent events', () => {
  const stream = Buffer.from(
    ': comment\n\ndata: {"a":"é"}\n\nevent: x\r\ndata: one\r\ndata:two\r\n\r\ndata: [DONE]\n\n',
  )
  const expected = ['{"a":"é"}', 'one\ntwo', '[DONE]']

  it('finds the events however the bytes are cut', () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const parser = new EventParser()
      const events: string[] = []
      for (let at = 0; at < stream.length; at += size) events.push(...parser.push(stream.subarray(at, at + size)))
      expect(events, `pieces of ${size} bytes`).to.deep.equal(expected)
    }
  })

  it('keeps back an event that is not complete', () => {
    const parser = new EventParser()
    expect(parser.push(Buffer.from('data: a\n'))).to.deep.equal([])
    expect(parser.push(Buffer.from('\n'))).to.deep.equal(['a'])
  })
})
