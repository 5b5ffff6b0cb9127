import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { formatBytes } from '@sallyport/kit/text'
import { lineProgress, terminalProgress } from '../src/progress.js'

describe('progress of downloads', () => {
  it('is a few plain lines where there is no terminal', async () => {
    const lines: string[] = []
    const transfer = lineProgress((line) => lines.push(line), 20).begin('m: weights', 1000)
    for (let bytes = 400; bytes <= 1000; bytes += 20) {
      transfer.update(bytes)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    transfer.end('done')
    expect(lines[0]).to.equal('fetching m: weights (1.00 kB)')
    expect(lines.at(-1)).to.match(/^fetched m: weights: 1\.00 kB in \d\.\d s$/)
    expect(lines.slice(1, -1)).to.have.length.within(1, 12)
    for (const line of lines.slice(1, -1)) expect(line).to.match(/^ {2}m: weights: \d+ %, \d.* [kM]?B\/s$/)
  })

  it('is a bar at a terminal, which never says more than all', () => {
    const stream = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 120,
      hasColors: () => false,
      cursorTo: () => true,
      moveCursor: () => true,
      clearLine: () => true,
    })
    const transfer = terminalProgress(stream as unknown as NodeJS.WriteStream).begin('m: weights', 1000)
    transfer.update(500)
    transfer.update(5000)
    transfer.end('done')
    const shown = stripVTControlCharacters(String(stream.read()))
    expect(shown).to.include('m: weights').and.include('100%').and.include('1.00 kB of 1.00 kB')
    expect(shown).not.to.match(/[2-9]\d\d%/)
  })

  it('counts in decimal units', () => {
    const cases: [number, string][] = [
      [0, '0 B'],
      [999, '999 B'],
      [1000, '1.00 kB'],
      [999_960, '1.00 MB'],
      [9_999_000, '10.0 MB'],
      [98_362_432, '98.4 MB'],
      [5e12, '5.00 TB'],
      [5e15, '5000.0 TB'],
    ]
    for (const [bytes, text] of cases) expect(formatBytes(bytes)).to.equal(text)
  })
})
