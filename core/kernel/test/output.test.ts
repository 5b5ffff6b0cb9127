import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { Output } from '../src/log/output.js'

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
    output = new Output(
      { fd: writer },
      { droppedNotice: (lines, because) => `-${lines} ${because}\n`, maxBytes: 10_000 },
    )
  })
  afterEach(() => {
    output.close()
    closeSync(writer)
  })

  const read = (most = 1024 * 1024): string => {
    const bytes = Buffer.alloc(most)
    try {
      return bytes.toString('utf8', 0, readSync(reader, bytes))
    } catch {
      return ''
    }
  }
  const line = (number: number, length = 100) => `${number} ${'x'.repeat(length)}\n`
  const someMissing = /^-\d+ EAGAIN *$/m
  /** Lines that are whole, in order, and counted where they are missing. @returns how many lines it took */
  const expectLines = (received: string, length?: number): number => {
    let next = 0
    for (const one of received.trimEnd().split('\n')) {
      const missing = /^-(\d+) EAGAIN *$/.exec(one)?.[1]
      if (missing === undefined) expect(`${one}\n`).to.equal(line(next, length))
      next += Number(missing ?? 1)
    }
    return next
  }

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
    expect(expectLines(received)).to.equal(all)
    expect(received).to.match(someMissing)
  })

  it('is kept where a line, or the count of missing ones, is written in part', () => {
    // Pipes take lines of more than 4096 bytes in parts.
    const [all, length] = [300, 5000]
    const long = new Output(
      { fd: writer },
      { droppedNotice: (lines, because) => `-${lines} ${because}${' '.repeat(9000)}\n`, maxBytes: 20_000 },
    )
    let received = ''
    const takeSome = () => {
      received += read(5000)
      long.finish(0)
    }
    for (let number = 0; number < all; number += 1) {
      long.write(line(number, length))
      if (number % 3 === 0) takeSome()
    }
    for (let looks = 0; looks < 100; looks += 1) takeSome()
    closeSync(reader)
    long.close()
    expect(expectLines(received, length)).to.equal(all)
    expect(received).to.match(someMissing)
  })

  describe('at the end', () => {
    let now = 0
    let onPause: () => void = () => undefined
    beforeEach(() => {
      for (let number = 0; number < 700; number += 1) output.write(line(number))
      now = 0
      onPause = () => undefined
      mock.method(performance, 'now', () => now)
      mock.method(Atomics, 'wait', (_: Int32Array, __: number, ___: number, milliseconds: number) => {
        now += milliseconds
        onPause()
        return 'timed-out'
      })
    })
    afterEach(() => mock.restoreAll())

    it('is written where the reader is slow', () => {
      let received = ''
      onPause = () => void (received += read(1000))
      output.finish(1000)
      received += read()
      expect(expectLines(received)).to.equal(700)
      expect(now).to.be.within(1, 999)
      closeSync(reader)
    })

    it('is given up after some time where the reader takes nothing', () => {
      output.finish(50)
      expect(now).to.equal(50)
      closeSync(reader)
    })

    it('is given up at once where there is no reader', () => {
      closeSync(reader)
      output.finish(60_000)
      expect(now).to.equal(0)
    })
  })
})
