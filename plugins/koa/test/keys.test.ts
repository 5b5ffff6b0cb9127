import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { silentLogger } from '@sallyport/core'
import type { CommandContext, CommandDefinition } from '@sallyport/core'
import { expect } from 'chai'
import plugin, { KeyStore } from '../src/index.js'
import { ensureKey } from '../src/auth/startup-key.js'
import { testKernel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { withServer } from './support/server.js'

const keys = plugin.commands!.find(({ name }) => name === 'keys')!
const command = (name: string): CommandDefinition => keys.commands!.find((each) => each.name === name)!

describe('keys', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'sallyport-keys-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const known = { models: ['small', 'alias'], policies: ['strict'] }

  /** What the last command said on standard error. */
  let told: string[] = []

  const run = async (name: string, options: Record<string, unknown> = {}, ...args: string[]): Promise<string[]> => {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    const context: CommandContext = { options: {}, home, logger: silentLogger, print, ...known }
    told = []
    process.stderr.write = (text: string | Uint8Array) => told.push(String(text).trimEnd()) > 0
    await command(name).run!({ arguments: args, options }, context).finally(() => {
      Reflect.deleteProperty(process.stderr, 'write')
    })
    return lines
  }

  const failureOf = async (name: string, options: Record<string, unknown>, ...args: string[]) =>
    run(name, options, ...args).then(
      () => 'nothing',
      (error: unknown) => (error as Error).message,
    )

  it('are created, listed and revoked at the command line', async () => {
    const [key = '', ...others] = await run('create', { name: 'ci', expires: '30d', models: 'a, b', policy: 'strict' })
    expect(key).to.match(/^sp-[\w-]{43}$/)
    expect(others, 'what a script would take for the key').to.deep.equal([])
    expect(told[0]).to.match(/^created key [\da-f-]{36} \(ci\), works until \d{4}-/)
    expect(told.at(-1)).to.equal('Keep it: it is not shown again.')
    const store = new KeyStore(home)
    expect(store.authenticate(key)).to.deep.include({ models: ['a', 'b'], policy: 'strict' })
    const days = (Date.parse(store.list()[0]!.expires!) - Date.now()) / 86_400_000
    expect(days).to.be.within(29.9, 30)
    const [head, row] = await run('list')
    expect(head).to.match(/^ID +NAME +STATE +EXPIRES +MODELS +POLICY +TEAM +QUOTA$/)
    expect(row).to.match(/ci +active +\d{4}-.* +a,b +strict$/)
    expect(row).not.to.contain(key)
    expect(await run('revoke', {}, 'ci')).to.have.length(1)
    expect(store.authenticate(key)).to.equal(undefined)
    expect((await run('list'))[1]).to.contain('revoked')
  })

  it('may be for models that are not there yet, which is worth a warning', async () => {
    const [key = ''] = await run('create', { name: 'x', models: 'alias,later' })
    const warnings = told.filter((line) => line.startsWith('warning'))
    expect(warnings).to.deep.equal(['warning: it may use "later", a model that the configuration does not have'])
    expect(new KeyStore(home).authenticate(key)).to.deep.include({ models: ['alias', 'later'] })
  })

  it('may have a policy that is not there yet, which is worth a warning', async () => {
    for (const [policy, warnings] of [
      ['strict', []],
      ['strct', ['warning: its requests are refused until the configuration has the policy "strct"']],
    ] as const) {
      await run('create', { name: policy, policy })
      expect(told.filter((line) => line.startsWith('warning'))).to.deep.equal(warnings)
    }
  })

  it('say what is wrong at the command line', async () => {
    expect(await failureOf('create', {})).to.equal('--name: is required: say what the key is for')
    expect(await failureOf('create', { name: 'x', expires: 'soon' })).to.contain('must be a number and a unit')
    expect(await failureOf('create', { name: 'x', models: ' ,' })).to.contain('at least one model')
    expect(await failureOf('revoke', {}, 'nobody')).to.equal('there is no key nobody: see sallyport keys list')
    await run('create', { name: 'x' })
    expect(await failureOf('create', { name: 'x' })).to.contain('choose another name')
  })

  it('are stored as hashes that say nothing without the pepper, for the owner only', () => {
    const { key } = new KeyStore(home).create({ name: 'x' })
    const directory = join(home, 'keys')
    expect(statSync(directory).mode & 0o777).to.equal(0o700)
    for (const file of readdirSync(directory)) {
      expect(statSync(join(directory, file)).mode & 0o777).to.equal(0o600)
      expect(readFileSync(join(directory, file), 'latin1')).not.to.contain(key)
    }
    const elsewhere = mkdtempSync(join(tmpdir(), 'sallyport-keys-'))
    expect(new KeyStore(elsewhere).find(key)).to.equal(undefined)
    rmSync(elsewhere, { recursive: true })
  })

  it('survive damaged files beside them', () => {
    const store = new KeyStore(home)
    const { key } = store.create({ name: 'x' })
    writeFileSync(join(home, 'keys', `${'0'.repeat(64)}.json`), '{"half":')
    expect(store.authenticate(key)).not.to.equal(undefined)
  })

  it('are listed where one is gone since its directory was read', () => {
    const store = new KeyStore(home)
    store.create({ name: 'x' })
    symlinkSync(join(home, 'removed'), join(home, 'keys', `${'0'.repeat(64)}.json`))
    expect(store.list().map(({ name }) => name)).to.deep.equal(['x'])
  })

  it('are not kept with a damaged secret', () => {
    const { key } = new KeyStore(home).create({ name: 'x' })
    const file = join(home, 'keys', 'pepper')
    const secret = readFileSync(file)
    for (const damaged of ['', secret.subarray(0, 31), Buffer.concat([secret, Buffer.from('\n')])]) {
      writeFileSync(file, damaged)
      expect(() => new KeyStore(home))
        .to.throw(`${file}: must hold 32 bytes, but holds ${damaged.length}`)
        .with.property('code', 'config_invalid')
    }
    writeFileSync(file, secret)
    expect(new KeyStore(home).authenticate(key)).not.to.equal(undefined)
  })

  it('do not authenticate when their directory is gone', () => {
    const store = new KeyStore(home)
    const { key } = store.create({ name: 'x' })
    rmSync(join(home, 'keys'), { recursive: true })
    expect(store.authenticate(key)).to.equal(undefined)
  })

  it('stop working at once in a running server when another process revokes them', async function () {
    this.timeout(20_000)
    await withServer(await testKernel([speaker]), {}, async (server) => {
      const { key, record } = server.keys.create({ name: 'doomed' })
      const status = async () => (await fetch(`${server.url}/models`, { headers: { 'x-api-key': key } })).status
      // Long enough for the server to trust what it has read.
      await new Promise((resolve) => setTimeout(resolve, 80))
      expect(await status()).to.equal(200)
      expect(await status()).to.equal(200)
      const code = `const { KeyStore } = await import(process.argv[1]); new KeyStore(process.argv[2]).revoke(process.argv[3])`
      const module = new URL('../src/auth/key-store.js', import.meta.url).href
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, module, server.home, record.id])
      expect(await status()).to.equal(403)
    })
  })

  it('may be made by several processes at once', () => {
    const stores = Array.from({ length: 4 }, () => new KeyStore(home))
    const made = stores.map((store, index) => store.create({ name: `k${index}` }).key)
    for (const store of stores) for (const key of made) expect(store.authenticate(key)).not.to.equal(undefined)
  })

  describe('at the first start', () => {
    it('are made, once', () => {
      const store = new KeyStore(home)
      const first = ensureKey(store, undefined)
      expect(first.origin).to.equal('created')
      expect(ensureKey(store, undefined)).to.deep.equal({ origin: 'existing', withdrawn: [] })
    })

    it('are made again when none works any more', () => {
      const store = new KeyStore(home)
      ensureKey(store, undefined)
      store.revoke('first')
      expect(ensureKey(store, undefined).origin).to.equal('created')
    })

    it('are taken from the environment', () => {
      const store = new KeyStore(home)
      expect(ensureKey(store, 'my-own-key-of-old')).to.deep.equal({ origin: 'supplied', withdrawn: [] })
      expect(ensureKey(store, 'my-own-key-of-old')).to.deep.equal({ origin: 'supplied', withdrawn: [] })
      expect(store.list()).to.have.length(1)
      expect(store.authenticate('my-own-key-of-old')).not.to.equal(undefined)
    })

    it('stay revoked, whatever the environment says', () => {
      const store = new KeyStore(home)
      ensureKey(store, 'my-own-key-of-old')
      store.revoke('environment')
      expect(ensureKey(store, 'my-own-key-of-old')).to.deep.equal({ origin: 'supplied_inactive', withdrawn: [] })
      expect(store.authenticate('my-own-key-of-old')).to.equal(undefined)
    })

    it('work as long as the environment says so', () => {
      const [old, other] = ['my-own-key-of-old', 'another-key-of-mine']
      const store = new KeyStore(home)
      const { key: made } = store.create({ name: 'made' })
      const works = (key: string) => new KeyStore(home).authenticate(key) !== undefined
      const steps = [
        { supplied: old, withdrawn: [], working: [true, false] },
        { supplied: other, withdrawn: ['environment'], working: [false, true] },
        { supplied: old, withdrawn: ['environment'], working: [true, false] },
        { supplied: undefined, withdrawn: ['environment'], working: [false, false] },
        { supplied: '', withdrawn: [], working: [false, false] },
        { supplied: other, withdrawn: [], working: [false, true] },
      ]
      for (const { supplied, withdrawn, working } of steps) {
        const { origin, withdrawn: names } = ensureKey(store, supplied)
        expect(origin).to.equal(supplied ? 'supplied' : 'existing')
        expect(names).to.deep.equal(withdrawn)
        expect([works(old), works(other), works(made)]).to.deep.equal([...working, true])
      }
    })

    it('stay as they are when what is supplied cannot be used', () => {
      const store = new KeyStore(home)
      ensureKey(store, 'my-own-key-of-old')
      expect(() => ensureKey(store, 'short')).to.throw('SALLYPORT_API_KEY')
      expect(store.authenticate('my-own-key-of-old')).not.to.equal(undefined)
    })

    it('stay revoked when the environment leaves and comes back to them', () => {
      const store = new KeyStore(home)
      ensureKey(store, 'my-own-key-of-old')
      store.revoke('environment')
      expect(ensureKey(store, 'another-key-of-mine').withdrawn).to.deep.equal([])
      expect(ensureKey(store, 'my-own-key-of-old').origin).to.equal('supplied_inactive')
    })

    it('must be printable, and long enough to be hard to guess', () => {
      for (const supplied of ['two words, of which none is known', 'k', 'k'.repeat(15), 'k'.repeat(513)])
        expect(() => ensureKey(new KeyStore(home), supplied))
          .to.throw('SALLYPORT_API_KEY: must be 16 to 512')
          .with.property('code', 'config_invalid')
      expect(ensureKey(new KeyStore(home), 'k'.repeat(16))).to.deep.equal({ origin: 'supplied', withdrawn: [] })
    })
  })
})
