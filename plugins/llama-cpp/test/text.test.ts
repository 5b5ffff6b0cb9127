import { expect } from 'chai'
import { PieceQueue } from '../src/text/piece-queue.js'
import { TextAssembler } from '../src/text/text-assembler.js'
import type { AssembledPiece } from '../src/text/text-assembler.js'

/** Pushes the bytes in portions of a size and joins what comes out, as one would show it. */
const assemble = (text: string, stop: readonly string[], size: number) => {
  const assembler = new TextAssembler(stop)
  const bytes = Buffer.from(text)
  const shown: AssembledPiece[] = []
  for (let from = 0; from < bytes.length; from += size) {
    shown.push(assembler.push(bytes.subarray(from, from + size)))
    if (shown.at(-1)?.stopText !== undefined) break
  }
  if (shown.at(-1)?.stopText === undefined) shown.push(assembler.end())
  return { text: shown.map((piece) => piece.text).join(''), pieces: shown, stopText: shown.at(-1)?.stopText }
}

describe('text of tokens', () => {
  const text = 'naïve 👩‍👩‍👧‍👦 says €5 — STOP and goes on'
  const cases: { name: string; stop: string[]; expected: string; stopText?: string }[] = [
    { name: 'without stop texts is whole', stop: [], expected: text },
    { name: 'ends before a stop text', stop: ['STOP'], expected: 'naïve 👩‍👩‍👧‍👦 says €5 — ', stopText: 'STOP' },
    { name: 'ends before the first of several', stop: ['STOP', '€'], expected: 'naïve 👩‍👩‍👧‍👦 says ', stopText: '€' },
    {
      name: 'ends before a stop text of several characters beyond ASCII',
      stop: ['👧‍👦 s'],
      expected: 'naïve 👩‍👩‍',
      stopText: '👧‍👦 s',
    },
    { name: 'ignores empty stop texts', stop: [''], expected: text },
    { name: 'keeps beginnings of stop texts', stop: ['STOPPED', 'goes on and'], expected: text },
    { name: 'keeps overlapping beginnings', stop: ['— STAY', 'STAY'], expected: text },
  ]
  for (const { name, stop, expected, stopText } of cases) {
    it(name, () => {
      for (const size of [1, 2, 3, 5, 1000]) {
        const result = assemble(text, stop, size)
        expect(result.text, `portions of ${size}`).to.equal(expected)
        expect(result.stopText).to.equal(stopText)
        for (const piece of result.pieces) expect(piece.text).not.to.match(/\p{Surrogate}|\uFFFD/u)
      }
    })
  }

  it('holds back no more than it must', () => {
    const assembler = new TextAssembler(['STOP'])
    const shown = ['a S', 'T', 'x', 'S'].map((part) => assembler.push(Buffer.from(part)).text)
    expect(shown).to.deep.equal(['a ', '', 'STx', ''])
    expect(assembler.end().text).to.equal('S')
  })

  it('gives log-probabilities with the text of their tokens', () => {
    const assembler = new TextAssembler(['stop'])
    const parts = ['go ', 'st', 'ay ', 'st', 'op']
    const shown = parts.map((token) => assembler.push(Buffer.from(token), { token, logprob: 0 }))
    expect(shown.map(({ text: part, logprobs }) => [part, logprobs.map(({ token }) => token)])).to.deep.equal([
      ['go ', ['go ']],
      ['', []],
      ['stay ', ['st', 'ay ']],
      ['', []],
      ['', []],
    ])
  })
})

describe('the queue of pieces', () => {
  const merge = (a: string, b: string) => (a === 'end' || b === 'end' ? undefined : a + b)
  const collect = async (queue: PieceQueue<string>) => {
    const pieces: string[] = []
    for await (const piece of queue) pieces.push(piece)
    return pieces
  }

  it('merges what nobody fetched', async () => {
    const queue = new PieceQueue(merge, () => undefined)
    for (const piece of ['a', 'b', 'c', 'end']) queue.push(piece)
    queue.end()
    expect(await collect(queue)).to.deep.equal(['abc', 'end'])
  })

  it('delivers what came before an error', async () => {
    const queue = new PieceQueue(merge, () => undefined)
    queue.push('a')
    queue.fail(new Error('broken'))
    const pieces: string[] = []
    const error: unknown = await (async () => {
      for await (const piece of queue) pieces.push(piece)
      return undefined
    })().catch((thrown: unknown) => thrown)
    expect(pieces).to.deep.equal(['a'])
    expect(error).to.have.property('message', 'broken')
  })

  it('hears that its consumer has gone', async () => {
    let gone = 0
    const queue = new PieceQueue<string>(merge, () => (gone += 1))
    queue.push('a')
    for await (const piece of queue) if (piece) break
    expect(gone).to.equal(1)
  })
})
