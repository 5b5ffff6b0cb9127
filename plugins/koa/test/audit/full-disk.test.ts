import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { signerOf } from '../../src/audit/signature.js'
import { verifyLog } from '../../src/audit/verify.js'
import { testKernel } from '../support/kernel.js'
import { recorder } from '../support/models.js'
import { withServer } from '../support/server.js'
import type { TestServer } from '../support/server.js'
import { linesIn } from './support.js'

describe('an audit log on a disk that is full', () => {
  let disk: string
  before(function () {
    disk = mkdtempSync(join(tmpdir(), 'sallyport-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' })
    } catch {
      rmSync(disk, { recursive: true })
      // Only an administrator may mount a disk that is small enough to be filled.
      this.skip()
    }
  })
  after(() => {
    try {
      execFileSync('umount', ['--lazy', disk], { stdio: 'ignore' })
    } catch {
      // It was not mounted.
    }
    rmSync(disk, { recursive: true, force: true })
  })

  const fill = () => {
    const file = openSync(join(disk, 'filler'), 'w')
    try {
      for (;;) writeSync(file, Buffer.alloc(1024, 1))
    } catch {
      closeSync(file)
    }
  }
  const free = () => rmSync(join(disk, 'filler'), { force: true })
  afterEach(free)

  const withAudit = async (sync: boolean, use: (server: TestServer, path: string, calls: () => number) => unknown) => {
    const path = join(disk, sync ? 'synced' : 'not-synced')
    const { model, requests } = recorder()
    const { lines, logger } = recordingLogger()
    let key = ''
    await withServer(
      await testKernel([model]),
      { audit: { path, sync } },
      async (server) => {
        key = signerOf(server.keys).publicKey
        await use(server, path, () => requests.length)
      },
      logger,
    )
    await verifyLog(path, { publicKey: key })
    const written = linesIn(path).filter(({ kind }) => ['admitted', 'ended', 'refused'].includes(kind))
    const lost = linesIn(path).reduce((sum, line) => sum + Number(line['lost'] ?? 0), 0)
    const messages = lines.map(({ message }) => message)
    expect(messages).to.include('the audit log cannot be written: lines are lost')
    expect(messages).to.include('the audit log can be written again; these lines are lost')
    return { written, lost }
  }

  const body = { model: 'recorder', messages: 'hi' }
  /** The last page of a file has room for some lines. */
  const requestsPerPage = 16

  it('refuses requests before anything of them runs, if it is synced, says why, and recovers', async () => {
    const statuses: number[] = []
    let ran = 0
    const { written, lost } = await withAudit(true, async ({ post, get }, _, calls) => {
      const ask = async (more = {}) => {
        const answer = await post('/v1/chat/completions', { ...body, ...more })
        statuses.push(answer.status)
        return { answer, text: await answer.text() }
      }
      await ask()
      fill()
      for (let count = 0; count < requestsPerPage; count += 1) await ask()
      const before = calls()
      for (const stream of [false, true]) {
        const { answer, text } = await ask({ stream })
        expect(answer.status).to.equal(503)
        expect(answer.headers.get('retry-after')).to.match(/^\d+$/)
        expect(JSON.parse(text)).to.have.nested.property('error.code', 'insufficient_storage')
        expect(text).to.contain('audit unavailable').and.not.contain(disk)
      }
      expect((await get('/v1/models')).status).to.equal(503)
      expect((await get('/healthz')).status).to.equal(200)
      expect(calls(), 'calls of the model').to.equal(before)
      free()
      expect((await ask()).answer.status).to.equal(200)
      ran = calls()
    })
    expect(written.filter(({ kind }) => kind === 'admitted')).to.have.length(ran)
    const good = statuses.filter((status) => status === 200)
    expect(written.filter(({ kind, status }) => kind === 'ended' && status === 200)).to.have.length(good.length)
    expect(lost).to.be.above(0)
  })

  it('answers requests if it is not synced, and says how many lines are lost', async () => {
    const asked = requestsPerPage + 10
    const { written, lost } = await withAudit(false, async ({ post }) => {
      for (let count = 0; count < asked; count += 1) {
        if (count === 1) fill()
        if (count === asked - 1) free()
        const answer = await post('/v1/chat/completions', body)
        expect(answer.status).to.equal(200)
        await answer.text()
      }
    })
    expect(lost).to.be.above(0)
    expect(written.length + lost).to.equal(2 * asked)
  })
})
