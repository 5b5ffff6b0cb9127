import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { silentLogger } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import type { Quota } from '../../src/quotas/quota.js'
import { Quotas } from '../../src/quotas/quotas.js'
import { UsageDatabase } from '../../src/quotas/usage-database.js'
import type { UsageStore } from '../../src/quotas/usage-store.js'

describe('usage', () => {
  let directory: string
  let file: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sallyport-usage-'))
    file = join(directory, 'usage.db')
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const sumOf = async () => {
    const database = new UsageDatabase(file)
    await database.open()
    const [sum] = await database.sums(['key'], '2000-01-01')
    await database.close()
    return sum ?? { requests: 0, tokensIn: 0, tokensOut: 0 }
  }

  const openQuotas = async (quota: Quota, { sync = false, store }: { sync?: boolean; store?: UsageStore } = {}) => {
    const quotas = new Quotas(
      { default: quota, teams: {}, prices: {}, sync },
      store ?? new UsageDatabase(file, sync),
      silentLogger,
    )
    await quotas.prepare()
    return quotas
  }

  const spend = async (quotas: Quotas, tokens = 0) => {
    const charge = await quotas.open({ tenant: 'key' })
    charge.begin()
    charge.uses(tokens, 0)
    await charge.end()
  }

  const refusalOf = (spent: Promise<void>) =>
    spent.then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    )

  for (const { mode, patience } of [
    { mode: 'sync', patience: 0 },
    { mode: 'grouped', patience: 1000 },
  ])
    it(`is there after kill -9, ${mode}, but for the last group, and none of it twice`, async function () {
      this.timeout(60_000)
      const child = fileURLToPath(new URL('spending-child.js', import.meta.url))
      let ended = 0
      let old = 0
      for (let round = 0; round < 5; round += 1) {
        const process_ = spawn(process.execPath, [child, file, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
        let told = ''
        process_.stdout.on('data', (text: Buffer) => (told += text.toString()))
        while (!told) await sleep(5)
        await sleep(patience + Math.random() * 300)
        const killed = Date.now()
        process_.kill('SIGKILL')
        await new Promise((resolve) => process_.once('close', resolve))
        const times = told.trim().split('\n').map(Number)
        ended += times.length
        old += times.filter((time) => time <= killed - patience).length
        const { requests, tokensIn, tokensOut } = await sumOf()
        expect(requests, 'what ended before the last group is there').to.be.at.least(old)
        expect(requests, 'one may have ended without saying so').to.be.at.most(ended + round + 1)
        expect([tokensIn, tokensOut]).to.deep.equal([2 * requests, requests])
      }
    })

  it('is for the owner of the server alone', async () => {
    const quotas = await openQuotas({})
    await spend(quotas)
    await quotas.close()
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('of two servers counts together, within seconds', async function () {
    this.timeout(20_000)
    const [one, other] = [await openQuotas({ tokensPerDay: 1000 }), await openQuotas({ tokensPerDay: 1000 })]
    await spend(other, 1)
    await spend(one, 900)
    // The other server reads what is stored when it stores something itself, at most once a second.
    for (let at = 0; at < 3; at += 1) {
      await sleep(600)
      await spend(other, 33)
    }
    await sleep(200)
    expect(await refusalOf(spend(other))).to.match(/has 1000 tokens per day, of which 0 are left/)
    await Promise.all([one.close(), other.close()])
    expect((await sumOf()).tokensIn).to.equal(1000)
  })

  it('is counted by servers that write at the same time', async function () {
    this.timeout(20_000)
    const servers = await Promise.all([1, 2, 3].map(() => openQuotas({}, { sync: true })))
    await Promise.all(
      servers.map(async (server) => {
        for (let at = 0; at < 50; at += 1) await spend(server, 1)
      }),
    )
    await Promise.all(servers.map((server) => server.close()))
    expect(await sumOf()).to.include({ requests: 150, tokensIn: 150 })
  })

  it('goes on where a start finds it, of days and of minutes', async () => {
    const quotas = await openQuotas({ tpm: 1000, tokensPerDay: 5000 })
    await spend(quotas, 800)
    await quotas.close()
    const next = await openQuotas({ tpm: 1000, tokensPerDay: 5000 })
    const charge = await next.open({ tenant: 'key' })
    charge.begin()
    expect(Number(charge.headers()['x-ratelimit-remaining-tokens'])).to.be.within(200, 260)
    await charge.end()
    await next.close()
    const less = await openQuotas({ tokensPerDay: 800 })
    expect(await refusalOf(spend(less))).to.match(/800 tokens per day, of which 0 are left/)
    await less.close()
  })

  describe('of which the store takes nothing', () => {
    /** A database that is as full as somebody says. */
    class FullDatabase extends UsageDatabase {
      full = false
      override add(...row: Parameters<UsageDatabase['add']>): Promise<void> {
        const error = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
        return this.full ? Promise.reject(error) : super.add(...row)
      }
    }

    it('is kept until it can be stored, while requests go on, and the log says so once', async function () {
      this.timeout(20_000)
      const { lines, logger } = recordingLogger()
      const store = new FullDatabase(file)
      const quotas = new Quotas({ default: { tokensPerDay: 100 }, teams: {}, prices: {}, sync: false }, store, logger)
      await quotas.prepare()
      store.full = true
      for (let at = 0; at < 3; at += 1) {
        await spend(quotas, 10)
        await sleep(150)
      }
      expect((await sumOf()).requests).to.equal(0)
      store.full = false
      await sleep(1300)
      expect(await sumOf()).to.include({ requests: 3, tokensIn: 30 })
      await quotas.close()
      expect(lines.filter(({ level }) => level === 'error').map(({ message }) => message)).to.deep.equal([
        'usage cannot be stored; it is counted, and stored once that is possible',
      ])
    })

    it('ends requests with an error where it must be stored, refuses new ones, and recovers', async function () {
      this.timeout(20_000)
      const store = new FullDatabase(file, true)
      const quotas = await openQuotas({}, { sync: true, store })
      store.full = true
      const refusal = 'storage full: usage cannot be counted: try again later'
      expect(await refusalOf(spend(quotas, 10))).to.equal(refusal)
      expect(await refusalOf(spend(quotas))).to.equal(refusal)
      store.full = false
      await sleep(1300)
      await spend(quotas, 1)
      await quotas.close()
      expect(await sumOf()).to.include({ requests: 2, tokensIn: 11 })
    })
  })

  it('that cannot be stored fails a start only where something is limited', async () => {
    writeFileSync(file, 'this is no database, but a text that is long enough to be looked at')
    chmodSync(file, 0o600)
    const unlimited = await openQuotas({})
    await spend(unlimited)
    await unlimited.close()
    const error = await openQuotas({ rpm: 1 }).catch((reason: unknown) => reason as Error)
    expect(error).to.have.property('message').that.contains(`${file}: cannot be used to count usage`)
  })
})
