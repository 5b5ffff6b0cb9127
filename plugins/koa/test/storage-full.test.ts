import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { KeyStore } from '../src/index.js'
import { Quotas } from '../src/quotas/quotas.js'
import { UsageDatabase } from '../src/quotas/usage-database.js'
import { fileOf, postForm } from './support/forms.js'
import { testKernel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { withServer } from './support/server.js'

describe('a disk that is full', () => {
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
      // What statements of the closed database hold is let go when they are collected.
      execFileSync('umount', ['--lazy', disk], { stdio: 'ignore' })
    } catch {
      // It was not mounted.
    }
    rmSync(disk, { recursive: true, force: true })
  })

  const filler = () => join(disk, 'filler')
  const fill = () => {
    const file = openSync(filler(), 'w')
    try {
      for (;;) writeSync(file, Buffer.alloc(1024, 1))
    } catch {
      closeSync(file)
    }
  }
  const free = () => rmSync(filler(), { force: true })
  afterEach(free)

  it('lets stored responses be read, refuses to change them, says why, and recovers', async () => {
    const { lines, logger } = recordingLogger()
    const store = { path: join(disk, 'responses.db') }
    await withServer(
      await testKernel([speaker]),
      { responses: { store } },
      async ({ post, get, send }) => {
        const ask = async () => {
          const answer = await post('/v1/responses', { model: 'speaker', input: 'hi' })
          expect(answer.status).to.equal(200)
          return (await answer.json()) as { id: string; store: boolean }
        }
        const { id } = await ask()
        fill()
        const refused = await send('DELETE', `/v1/responses/${id}`, undefined, { 'x-request-id': 'r1' })
        expect(refused.status).to.equal(503)
        expect(refused.headers.get('retry-after')).to.match(/^\d+$/)
        expect(await refused.text())
          .to.contain('storage full')
          .and.not.contain('SQLITE')
        expect((await get(`/v1/responses/${id}`)).status).to.equal(200)
        expect((await ask()).store, 'the answer is not withheld').to.equal(false)
        expect((await get('/healthz')).status).to.equal(200)
        free()
        expect((await send('DELETE', `/v1/responses/${id}`)).status).to.equal(200)
        expect((await ask()).store).to.equal(true)
      },
      logger,
    )
    const logged = JSON.stringify(lines)
    expect(logged).to.contain('SQLITE_FULL').and.not.contain('cannot rollback')
    const line = lines.find(({ fields }) => fields['requestId'] === 'r1')
    expect(line?.fields).to.include({ code: 'insufficient_storage', status: 503 })
    expect(line?.fields).to.have.nested.property('error.code', 'SQLITE_FULL')
    expect(lines.some(({ message }) => message === 'the response could not be stored')).to.equal(true)
  })

  it('refuses uploads', async () => {
    const services = { transcription: { stream: () => [] } }
    await withServer(await testKernel([{ id: 'm', services }]), { uploadDirectory: disk }, async (server) => {
      fill()
      const fields = { model: 'm', file: fileOf('x'.repeat(64 * 1024)) }
      const refused = await postForm(server, '/v1/audio/transcriptions', fields)
      expect(refused.status).to.equal(503)
      expect(await refused.text()).to.contain('storage full')
    })
  })

  it('lets requests go on, whose usage is stored once there is room', async function () {
    this.timeout(20_000)
    const database = new UsageDatabase(join(disk, 'usage.db'))
    const quotas = new Quotas({ default: {}, teams: {}, prices: {}, sync: false }, database, recordingLogger().logger)
    await quotas.prepare()
    fill()
    // So many that they do not fit into what the files have room for already.
    for (let at = 0; at < 2000; at += 1) {
      const charge = await quotas.open({ tenant: `key ${at}` })
      charge.begin()
      charge.uses(1, 1)
      await charge.end()
    }
    const requests = async () => (await database.sums(['day'], '2000-01-01'))[0]?.requests ?? 0
    await sleep(500)
    expect(await requests()).to.equal(0)
    free()
    await sleep(1500)
    expect(await requests()).to.equal(2000)
    await quotas.close()
  })

  it('keeps keys as they are, and says how to end one', () => {
    const home = join(disk, 'home')
    const keys = new KeyStore(home)
    const { key } = keys.create({ name: 'a' })
    const files = readdirSync(join(home, 'keys'))
    fill()
    expect(() => keys.create({ name: 'b' }))
      .to.throw('storage full')
      .with.property('code', 'insufficient_storage')
    expect(() => keys.revoke('a')).to.throw(/storage full: .*make room, or delete .*\.json, which ends the key/)
    expect(readdirSync(join(home, 'keys'))).to.have.members(files)
    expect(keys.authenticate(key)).not.to.equal(undefined)
    free()
    keys.revoke('a')
    expect(keys.authenticate(key)).to.equal(undefined)
  })
})
