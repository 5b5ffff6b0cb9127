import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect } from 'chai'
import { OutputLines } from '../../src/processes/output-lines.js'

describe('the lines that a process prints', () => {
  it('are counted where they are too many, also at the end', async () => {
    const lines: string[] = []
    const stream = new PassThrough()
    new OutputLines((line) => lines.push(line)).read(stream)
    stream.end('a line\n'.repeat(5000))
    await finished(stream)
    const more = lines.map((line) => Number(/^\((\d+) more lines\)$/.exec(line)?.[1] ?? 1))
    expect(lines.length).to.be.below(1000)
    expect(more.reduce((sum, count) => sum + count)).to.equal(5000)
  })
})
