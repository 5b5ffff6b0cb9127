import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordingLogger } from '@sallyport/testing'
import { errorOf } from '@sallyport/stand-ins/errors'
import { expect } from 'chai'
import { logFiles } from '../../src/audit/log-files.js'
import { verifyLog } from '../../src/audit/verify.js'
import { event, kindsIn, linesIn, openLog, signer, useDirectory } from './support.js'

describe('an audit log', () => {
  const directory = useDirectory()
  const path = () => join(directory.path, 'audit')
  const file = (number = 1) => join(path(), `audit-00000${number}.jsonl`)
  const verified = () => verifyLog(path(), { publicKey: signer.publicKey })

  it('is for its owner only, and its last line is signed', async () => {
    const { logger, lines } = recordingLogger()
    const log = openLog({ path: path() }, logger)
    expect(await log.append(event('a'))).to.equal(3)
    await log.close()
    expect(statSync(path()).mode & 0o777).to.equal(0o700)
    for (const name of ['audit-000001.jsonl', 'lock'])
      expect(statSync(join(path(), name)).mode & 0o777, name).to.equal(0o600)
    expect(kindsIn(path())).to.deep.equal(['opened', 'head', 'admitted', 'head'])
    const { signed } = await verified()
    expect(signed?.seq).to.equal(4)
    expect(lines.at(-1)?.fields).to.deep.equal({ head: `4:${signed?.digest}` })
  })

  it('writes the lines of one turn with one write, in their order', async () => {
    const log = openLog({ path: path() })
    const seqs = await Promise.all(Array.from({ length: 500 }, (_, index) => log.append(event(String(index)))))
    await log.close()
    expect(seqs).to.deep.equal(Array.from({ length: 500 }, (_, index) => index + 3))
    expect(
      new Set(
        linesIn(path())
          .slice(2, -1)
          .map(({ up }) => Math.round(Number(up))),
      ).size,
    ).to.be.below(100)
    expect(await verified()).to.include({ first: 1, last: 503 })
  })

  it('goes on where an earlier server stopped', async () => {
    for (const request of ['a', 'b']) {
      const log = openLog({ path: path() })
      await log.append(event(request))
      await log.close()
    }
    expect(linesIn(path()).map(({ seq }) => seq)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await verified()).to.include({ last: 8 })
  })

  it('refuses a second server, and takes one when the first is gone', async () => {
    const log = openLog({ path: path() })
    await errorOf(
      Promise.resolve().then(() => openLog({ path: path() })),
      'config_invalid',
    ).then(({ message }) =>
      expect(message).to.equal(`${path()}: another server writes its audit log here: give each one a path of its own`),
    )
    await log.close()
    await openLog({ path: path() }).close()
  })

  it('says where it cannot be opened', () => {
    writeFileSync(path(), '')
    expect(() => openLog({ path: path() })).to.throw(`${path()}: the audit log cannot be opened (EEXIST)`)
  })

  describe('after a server was killed', () => {
    beforeEach(async () => {
      const log = openLog({ path: path() })
      await log.append(event('a'))
      await log.close()
    })

    const reopened = async () => {
      await openLog({ path: path() }).close()
      await verified()
      return linesIn(path()).slice(4)
    }

    for (const torn of ['{', '{"seq":5,"prev":"', '\0'.repeat(5000)])
      it(`cuts off a line of ${torn.length} bytes without an end, and says how long it was`, async () => {
        appendFileSync(file(), torn)
        const [recovered, opened] = await reopened()
        expect(recovered).to.include({ kind: 'recovered', bytes: torn.length, seq: 5 })
        expect(opened).to.include({ kind: 'opened' })
      })

    it('begins anew where not even the first line was whole', async () => {
      truncateSync(file(), 20)
      await openLog({ path: path() }).close()
      expect(linesIn(path())[0]).to.include({ kind: 'recovered', bytes: 20, seq: 1 })
      await verified()
    })

    it('goes on in the file before one in which nothing is whole', async () => {
      writeFileSync(file(2), '{"seq"')
      const [recovered] = await reopened()
      expect(recovered).to.include({ kind: 'recovered', bytes: 6, seq: 5 })
      expect(logFiles(path()).map(({ number }) => number)).to.deep.equal([1])
    })

    it('does not go on behind a last line that is not one of a log', () => {
      appendFileSync(file(), 'something else\n')
      expect(() => openLog({ path: path() })).to.throw(`${file()}: the last line is not one of an audit log`)
    })
  })

  describe('that is rotated', () => {
    const fill = async (keep: number, count = 30) => {
      const log = openLog({ path: path(), bytes: 1024, keep })
      for (let index = 0; index < count; index += 1) await log.append(event(`request-${index}`))
      await log.close()
    }
    const numbers = () => logFiles(path()).map(({ number }) => number)

    it('has a chain over its files, each of which ends signed', async () => {
      await fill(0)
      expect(numbers().length).to.be.above(4)
      for (const { path: name } of logFiles(path())) {
        const lines = readFileSync(name, 'utf8').trimEnd().split('\n')
        expect(lines.at(-1)).to.contain('"kind":"head"')
        expect(lines.join(), 'the clock did not jump').not.to.contain('clockBack')
        expect(lines[0]).to.contain(name === file() ? '"kind":"opened"' : '"kind":"rotated"')
      }
      expect(await verified()).to.include({ first: 1, files: numbers().length })
    })

    it('keeps as many files as it is told, and can be verified from the oldest of them on', async () => {
      await fill(3)
      expect(numbers()).to.have.length(3)
      const { first, files, last } = await verified()
      expect(first).to.equal(linesIn(path())[0]?.seq).and.to.be.above(1)
      expect({ files, last }).to.deep.equal({ files: 3, last: linesIn(path()).at(-1)?.seq })
    })

    it('begins with the file that the log names, also when later servers keep all', async () => {
      await fill(2)
      const [oldest] = numbers()
      await fill(0)
      expect(numbers()[0]).to.equal(oldest)
      await verified()
    })
  })

  it('says when the clock has jumped back, also while no server ran', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    let monotonic = 1000
    const clock = { now: () => now, monotonic: () => (monotonic += 5) }
    const log = openLog({ path: path() }, undefined, clock)
    await log.append(event('a'))
    now -= 3_600_000
    await log.append(event('b'))
    await log.append(event('c'))
    await log.close()
    now -= 1000
    await openLog({ path: path() }, undefined, clock).close()
    const jumps = linesIn(path()).map(({ kind, clockBack }) => [kind, clockBack])
    expect(jumps.filter(([, back]) => back !== undefined)).to.deep.equal([
      ['admitted', 3_600_000],
      ['opened', 1000],
    ])
    const ups = linesIn(path()).map(({ up }) => Number(up))
    expect(ups.slice(0, 6)).to.deep.equal([...ups.slice(0, 6)].sort((one, other) => one - other))
    await verified()
  })
})
