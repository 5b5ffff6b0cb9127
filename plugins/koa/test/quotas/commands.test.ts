import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '@sallyport/config'
import { silentLogger } from '@sallyport/core'
import type { CommandContext, CommandDefinition } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { expect } from 'chai'
import plugin, { KeyStore } from '../../src/index.js'
import { dayOf } from '../../src/quotas/period.js'
import { UsageDatabase, usageFile } from '../../src/quotas/usage-database.js'

const named = (commands: readonly CommandDefinition[] | undefined, name: string): CommandDefinition =>
  commands!.find((each) => each.name === name)!
const keys = named(plugin.commands, 'keys')
const usage = named(plugin.commands, 'usage')

describe('quotas at the command line', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'sallyport-quotas-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  let told: string[] = []

  const run = async (command: CommandDefinition, options: Record<string, unknown>, ...args: string[]) => {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    const configured = { quotas: { teams: { lab: {} } } }
    const context: CommandContext = { options: configured, home, logger: silentLogger, print, models: [], policies: [] }
    told = []
    process.stderr.write = (text: string | Uint8Array) => told.push(String(text).trimEnd()) > 0
    await command.run!({ arguments: args, options }, context).finally(() => {
      Reflect.deleteProperty(process.stderr, 'write')
    })
    return lines
  }

  const problemOf = (command: CommandDefinition, options: Record<string, unknown>, ...args: string[]) =>
    Promise.resolve()
      .then(() => run(command, options, ...args))
      .then(
        () => 'none',
        (error: unknown) => (error as Error).message,
      )

  const create = named(keys.commands, 'create')
  const set = named(keys.commands, 'set')
  const list = named(keys.commands, 'list')

  it('are given to keys, shown and changed', async () => {
    const flags = { rpm: '60', tpm: '1000', tokensPerDay: '5000', tokensPerMonth: 'none', budget: '2.5', weight: '3' }
    const [key = ''] = await run(create, { name: 'ci', ...flags, running: 'default', team: 'lab' })
    const store = new KeyStore(home)
    const quota = { rpm: 60, tpm: 1000, tokensPerDay: 5000, tokensPerMonth: null, budget: 2.5, weight: 3 }
    expect(store.authenticate(key)).to.deep.include({ name: 'ci', team: 'lab', quota })
    expect((await run(list, {}))[1]).to.match(
      / lab +rpm 60, tpm 1000, tokens-per-day 5000, tokens-per-month none, budget 2.5, weight 3$/,
    )
    const [line] = await run(set, { rpm: '10', tpm: 'default', tokensPerDay: 'none', team: 'none' }, 'ci')
    expect(line).to.match(
      /^key [\da-f-]{36} \(ci\) has rpm 10, tokens-per-day none, tokens-per-month none, budget 2.5, weight 3$/,
    )
    expect(store.authenticate(key)).not.to.have.property('team')
    for (const name of ['rpm', 'tokensPerDay', 'tokensPerMonth', 'budget']) await run(set, { [name]: 'default' }, 'ci')
    expect(await run(set, { weight: 'default' }, 'ci')).to.deep.equal([
      `key ${store.list()[0]!.id} (ci) has the quota of the configuration`,
    ])
    expect(store.authenticate(key)).to.deep.equal({ tenant: store.list()[0]!.id, name: 'ci' })
  })

  for (const { options, problem } of [
    { options: { rpm: '0' }, problem: '--rpm: must be a whole number from 1 upwards, or none, or default' },
    { options: { tpm: 'many' }, problem: '--tpm: must be a whole number from 1 upwards, or none, or default' },
    {
      options: { tokensPerDay: '1.5' },
      problem: '--tokens-per-day: must be a whole number from 1 upwards, or none, or default',
    },
    { options: { running: '' }, problem: '--running: must be a whole number from 1 upwards, or none, or default' },
    { options: { budget: '-1' }, problem: '--budget: must be a number from 0 upwards, or none, or default' },
    { options: { budget: 'Infinity' }, problem: '--budget: must be a number from 0 upwards, or none, or default' },
    { options: { weight: '0' }, problem: '--weight: must be a number above 0, up to 1000, or none, or default' },
    { options: { team: ' ' }, problem: '--team: must name a team, or none' },
  ])
    it(`are refused by their flag: ${JSON.stringify(options)}`, async () => {
      expect(await problemOf(create, { name: 'x', ...options })).to.equal(problem)
      new KeyStore(home).create({ name: 'ci' })
      expect(await problemOf(set, options, 'ci')).to.equal(problem)
    })

  it('say what is missing, and warn of teams that the configuration does not have', async () => {
    expect(await problemOf(set, {}, 'ci')).to.equal('keys set: say what to change, such as --rpm 60')
    expect(await problemOf(set, { rpm: '1' }, 'ci')).to.equal('there is no key ci: see sallyport keys list')
    await run(create, { name: 'x', team: 'lap' })
    expect(told).to.include(
      'warning: its requests are refused until server.quotas.teams of the configuration has "lap"',
    )
    await run(create, { name: 'y', team: 'lab' })
    expect(told.some((line) => line.startsWith('warning'))).to.equal(false)
  })

  it('make a key useless where somebody has broken its file, rather than unlimited', () => {
    const store = new KeyStore(home)
    const { key, record } = store.create({ name: 'ci', quota: { rpm: 1 } })
    const file = join(home, 'keys', `${record.hash}.json`)
    writeFileSync(file, JSON.stringify({ ...record, quota: { rpm: 'lots' } }))
    expect(new KeyStore(home).authenticate(key)).to.equal(undefined)
  })

  for (const [line, wrong, problem] of [
    ['quotas: { default: { rpm: many } }', 'many', 'server.quotas.default.rpm'],
    ['quotas: { default: { rpm: 0 } }', '0', 'server.quotas.default.rpm'],
    ['quotas: { default: { rmp: 1 } }', 'rmp', 'rmp'],
    ['quotas: { teams: { lab: { weight: 1 } } }', 'weight', 'weight'],
    ['quotas: { prices: { m: { input: -1 } } }', '-1', 'server.quotas.prices.m.input'],
    ['quotas: { sync: maybe }', 'maybe', 'server.quotas.sync'],
  ] as const)
    it(`are refused in a file with their place: ${line}`, async () => {
      const file = join(home, 'sallyport.yaml')
      const path = new URL('../../src/index.js', import.meta.url).pathname
      writeFileSync(file, `plugins: ['${path}']\nserver:\n  ${line}\n`)
      const error = await loadConfig(file)
        .then((config) => createKernel(config))
        .then(
          () => undefined,
          (reason: unknown) => reason,
        )
      expect(error)
        .to.have.property('message')
        .that.contains(`${file}:3:${line.indexOf(wrong) + 3}:`)
        .and.contains(problem)
    })

  it('show what was used, by what is asked for', async () => {
    expect(await run(usage, {})).to.deep.equal([`Nothing was used since ${dayOf(Date.now() - 30 * 86_400_000)}.`])
    const { id } = new KeyStore(home).create({ name: 'ci', team: 'lab' }).record
    const today = dayOf(Date.now())
    const database = new UsageDatabase(usageFile(home))
    await database.open()
    const row = {
      key: id,
      team: 'lab',
      model: 'small',
      day: today,
      requests: 2,
      tokensIn: 10,
      tokensOut: 20,
      cost: 0.5,
    }
    const old = { ...row, day: '2001-01-01', requests: 7 }
    await database.add([row, { ...row, model: "it's", requests: 1 }, { ...row, key: 'gone', team: '' }, old], [])
    const rows = (options: object) => run(usage, { ...options })
    expect((await rows({})).map((line) => line.trim().split(/ {2,}/))).to.deep.equal([
      ['KEY', 'MODEL', 'REQUESTS', 'TOKENS IN', 'TOKENS OUT', 'COST'],
      ...[
        ['ci', "it's", '1', '10', '20', '0.500000'],
        ['ci', 'small', '2', '10', '20', '0.500000'],
        ['gone', 'small', '2', '10', '20', '0.500000'],
      ].sort((one, other) =>
        one[0] === other[0] ? 0 : one[0] === 'ci' ? (id < 'gone' ? -1 : 1) : id < 'gone' ? 1 : -1,
      ),
    ])
    expect(
      (await rows({ by: 'day', since: '1y', json: true })).map((line) => JSON.parse(line) as object),
    ).to.deep.equal([{ day: today, requests: 5, tokensIn: 30, tokensOut: 60, cost: 1.5 }])
    expect((await rows({ by: 'team', json: true }))[1]).to.equal(
      JSON.stringify({ team: 'lab', requests: 3, tokensIn: 20, tokensOut: 40, cost: 1 }),
    )
    expect(await problemOf(usage, { by: 'key,color' })).to.equal(
      '--by: must name some of key, team, model, day, separated by commas',
    )
    expect(await problemOf(usage, { since: 'ever' })).to.contain('--since: must be a number and a unit')
    await database.close()
  })
})
