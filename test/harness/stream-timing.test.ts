import { expect } from 'chai'
import { decodeRate, StreamClock } from '../bench/client/stream-timing.js'
import type { StreamTiming } from '../bench/client/stream-timing.js'

const delta = (content: string | null, finish: string | null = null) =>
  JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })
const usage = JSON.stringify({
  choices: [],
  usage: { prompt_tokens: 20, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
})

describe('clock of a streamed answer', () => {
  it('starts counting at the first piece that has text', () => {
    const clock = new StreamClock(100)
    expect(clock.take(delta(''), 110)).to.equal(0)
    expect(clock.take(delta(null), 115)).to.equal(0)
    expect(clock.take(delta('a'), 120)).to.equal(1)
    expect(clock.take(delta('b'), 130)).to.equal(2)
    clock.take(delta(null, 'length'), 140)
    clock.take(usage, 141)
    clock.take('[DONE]', 142)
    expect(clock.done(150)).to.deep.equal({
      start: 100,
      firstText: 120,
      lastText: 130,
      end: 150,
      pieces: 2,
      tokens: { prompt: 20, cached: 4, completion: 3 },
      finish: 'length',
    })
  })

  it('refuses an answer without usage: tokens are never guessed', () => {
    const clock = new StreamClock(0)
    clock.take(delta('a'), 1)
    expect(() => clock.done(2)).to.throw('without usage')
  })

  it('refuses an error in the stream', () => {
    expect(() => new StreamClock(0).take('{"error":"gone"}', 1)).to.throw('gone')
  })
})

describe('decoding speed', () => {
  const answer = (firstText: number, lastText: number, completion: number): StreamTiming => ({
    start: 0,
    firstText,
    lastText,
    end: lastText,
    pieces: completion,
    tokens: { prompt: 20, cached: 0, completion },
    finish: 'length',
  })

  it('leaves out the prompt and the first token', () => {
    expect(decodeRate([answer(500, 1500, 101)])).to.equal(100)
  })

  it('adds up answers that ran side by side', () => {
    expect(decodeRate([answer(500, 1500, 101), answer(600, 2500, 101)])).to.equal(100)
  })
})
