import { expect } from 'chai'
import { ChunkQueue } from '../src/engine/chunk-queue.js'
import { TextAssembler } from '../src/engine/text-assembler.js'
import type { AssembledChunk } from '../src/engine/text-assembler.js'

/** Pushes the bytes in portions of a size and joins what comes out, as one would show it. */
const assemble = (text: string, stop: readonly string[], size: number) => {
  const assembler = new TextAssembler(stop)
  const bytes = Buffer.from(text)
  const visibleControls: AssembledChunk[] = []
  for (let from = 0; from < bytes.length; from += size) {
    visibleControls.push(assembler.push(bytes.subarray(from, from + size)))
    if (visibleControls.at(-1)?.stopSequence !== undefined) break
  }
  if (visibleControls.at(-1)?.stopSequence === undefined) visibleControls.push(assembler.end())
  return {
    text: visibleControls.map((chunk) => chunk.text).join(''),
    chunks: visibleControls,
    stopSequence: visibleControls.at(-1)?.stopSequence,
  }
}

describe('text of tokens', () => {
  const text = 'naïve 👩‍👩‍👧‍👦 says €5 — STOP and goes on'
  const cases: { name: string; stop: string[]; expected: string; stopSequence?: string }[] = [
    { name: 'without stop sequences is whole', stop: [], expected: text },
    { name: 'ends before a stop sequence', stop: ['STOP'], expected: 'naïve 👩‍👩‍👧‍👦 says €5 — ', stopSequence: 'STOP' },
    { name: 'ends before the first of several', stop: ['STOP', '€'], expected: 'naïve 👩‍👩‍👧‍👦 says ', stopSequence: '€' },
    {
      name: 'ends before a stop sequence of several characters beyond ASCII',
      stop: ['👧‍👦 s'],
      expected: 'naïve 👩‍👩‍',
      stopSequence: '👧‍👦 s',
    },
    { name: 'ignores empty stop sequences', stop: [''], expected: text },
    { name: 'keeps beginnings of stop sequences', stop: ['STOPPED', 'goes on and'], expected: text },
    { name: 'keeps overlapping beginnings', stop: ['— STAY', 'STAY'], expected: text },
  ]
  for (const { name, stop, expected, stopSequence } of cases) {
    it(name, () => {
      for (const size of [1, 2, 3, 5, 1000]) {
        const result = assemble(text, stop, size)
        expect(result.text, `portions of ${size}`).to.equal(expected)
        expect(result.stopSequence).to.equal(stopSequence)
        for (const chunk of result.chunks) expect(chunk.text).not.to.match(/\p{Surrogate}|\uFFFD/u)
      }
    })
  }

  it('holds back no more than it must', () => {
    const assembler = new TextAssembler(['STOP'])
    const visibleControls = ['a S', 'T', 'x', 'S'].map((part) => assembler.push(Buffer.from(part)).text)
    expect(visibleControls).to.deep.equal(['a ', '', 'STx', ''])
    expect(assembler.end().text).to.equal('S')
  })

  it('gives log-probabilities with the text of their tokens', () => {
    const assembler = new TextAssembler(['stop'])
    const parts = ['go ', 'st', 'ay ', 'st', 'op']
    const visibleControls = parts.map((token) => assembler.push(Buffer.from(token), { token, logprob: 0 }))
    expect(visibleControls.map(({ text: part, logprobs }) => [part, logprobs.map(({ token }) => token)])).to.deep.equal(
      [
        ['go ', ['go ']],
        ['', []],
        ['stay ', ['st', 'ay ']],
        ['', []],
        ['', []],
      ],
    )
  })
})

describe('the queue of chunks', () => {
  const merge = (a: string, b: string) => (a === 'end' || b === 'end' ? undefined : a + b)
  const collect = async (queue: ChunkQueue<string>) => {
    const chunks: string[] = []
    for await (const chunk of queue) chunks.push(chunk)
    return chunks
  }

  it('merges what nobody fetched', async () => {
    const queue = new ChunkQueue(merge, () => undefined)
    for (const chunk of ['a', 'b', 'c', 'end']) queue.push(chunk)
    queue.end()
    expect(await collect(queue)).to.deep.equal(['abc', 'end'])
  })

  it('delivers what came before an error', async () => {
    const queue = new ChunkQueue(merge, () => undefined)
    queue.push('a')
    queue.fail(new Error('broken'))
    const chunks: string[] = []
    const error: unknown = await (async () => {
      for await (const chunk of queue) chunks.push(chunk)
      return undefined
    })().catch((thrown: unknown) => thrown)
    expect(chunks).to.deep.equal(['a'])
    expect(error).to.have.property('message', 'broken')
  })

  it('hears that its consumer has gone', async () => {
    let gone = 0
    const queue = new ChunkQueue<string>(merge, () => (gone += 1))
    queue.push('a')
    for await (const chunk of queue) if (chunk) break
    expect(gone).to.equal(1)
  })
})
