import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Output } from '../../src/kernel/output.js'
import { useTemporaryDirectory } from '../config/temporary.js'

const { O_RDONLY, O_NONBLOCK, O_WRONLY } = constants

describe('output that nobody waits for', function () {
  if (process.platform === 'win32') return
  const directory = useTemporaryDirectory()
  let count = 0
  let reader: number
  let writer: number
  let output: Output
  beforeEach(() => {
    const path = join(directory.path, `pipe-${(count += 1)}`)
    execFileSync('mkfifo', [path])
    reader = openSync(path, O_RDONLY | O_NONBLOCK)
    writer = openSync(path, O_WRONLY)
    output = new Output({ fd: writer }, { missing: (lines, because) => `-${lines} ${because}\n`, room: 10_000 })
  })
  afterEach(() => {
    output.close()
    closeSync(writer)
  })

  const read = (): string => {
    const bytes = Buffer.alloc(1024 * 1024)
    try {
      return bytes.toString('utf8', 0, readSync(reader, bytes))
    } catch {
      return ''
    }
  }
  const line = (number: number) => `${number} ${'x'.repeat(100)}\n`

  it('is there when the call returns, where somebody reads', () => {
    output.write('one\n')
    expect(read()).to.equal('one\n')
    closeSync(reader)
  })

  it('is kept where nobody reads; then the oldest lines are dropped and counted where they stood', async () => {
    const all = 3000
    for (let number = 0; number < all; number += 1) output.write(line(number))
    let received = ''
    while (!received.includes(line(all - 1))) {
      received += read()
      await sleep(10)
    }
    closeSync(reader)
    const lines = received.trimEnd().split('\n')
    let next = 0
    for (const one of lines) {
      const missing = /^-(\d+) EAGAIN$/.exec(one)?.[1]
      if (missing === undefined) expect(`${one}\n`).to.equal(line(next))
      next += Number(missing ?? 1)
    }
    expect(next).to.equal(all)
    expect(received).to.match(/^-\d+ EAGAIN$/m)
  })

  it('is written at the end where the reader is slow, and given up where there is none', () => {
    for (let number = 0; number < 700; number += 1) output.write(line(number))
    const started = performance.now()
    output.finish(50)
    expect(performance.now() - started).to.be.within(45, 5000)
    closeSync(reader)
    output.finish(60_000)
    expect(performance.now() - started).to.be.below(30_000)
  })
})
