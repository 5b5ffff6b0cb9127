import type { CommandDefinition } from '@sallyport/core'
import { ownCommand } from '@sallyport/kit/installation'
import { alignColumns } from '@sallyport/kit/text'
import { secondsOf } from '../duration.js'
import { invalidField } from '../invalid-field.js'
import type { ServerOptions } from '../options.js'
import { stateOf } from './key-record.js'
import type { KeyRecord } from './key-record.js'
import { KeyStore } from './key-store.js'
import { describeQuota, quotaOptions, readQuotaFlags } from './quota-flags.js'

/** Writes to standard error, because other programs read standard output. */
const printNotice = (line: string): void => void process.stderr.write(`${line}\n`)

const create: CommandDefinition = {
  name: 'create',
  description: 'make a key and print it, this once: the key alone goes to standard output',
  options: [
    { flags: '--name <name>', description: 'what the key is for' },
    { flags: '--expires <time>', description: 'how long it works: 12h, 30d, 1y (default: for ever)' },
    {
      flags: '--models <ids>',
      description:
        'the models it may use, separated by commas: detectors are models, too, and /PII or /v1/moderations need theirs (default: all)',
    },
    { flags: '--policy <name>', description: "a policy of the configuration that holds for it, beside the models'" },
    ...quotaOptions,
  ],
  run: ({ options }, { home, models: known, policies, options: configured, print }) => {
    const { name, expires, models, policy } = options as Partial<
      Record<'name' | 'expires' | 'models' | 'policy', string>
    >
    if (!name?.trim()) throw invalidField('--name', 'is required: say what the key is for')
    const allowed = models
      ?.split(',')
      .map((model) => model.trim())
      .filter(Boolean)
    if (allowed && !allowed.length) throw invalidField('--models', 'must name at least one model')
    const { quota, team } = readQuotaFlags(options)
    const { key, record } = new KeyStore(home).create({
      name: name.trim(),
      ...(expires === undefined ? {} : { expires: expiryAfter(expires) }),
      ...(allowed ? { models: allowed } : {}),
      ...(policy === undefined ? {} : { policy }),
      ...(Object.keys(quota).length ? { quota } : {}),
      ...(team ? { team } : {}),
    })
    printNotice(`created key ${record.id} (${record.name})${record.expires ? `, works until ${record.expires}` : ''}`)
    for (const model of allowed ?? [])
      if (known && !known.includes(model))
        printNotice(`warning: it may use "${model}", a model that the configuration does not have`)
    if (policy !== undefined && policies && !policies.includes(policy))
      printNotice(`warning: its requests are refused until the configuration has the policy "${policy}"`)
    if (known) warnOfTeam(configured, team)
    printNotice('Keep it: it is not shown again.')
    print(key)
    return Promise.resolve()
  },
}

const list: CommandDefinition = {
  name: 'list',
  description: 'show the keys, without the keys themselves',
  run: (_, { home, print }) => {
    const records = new KeyStore(home).list()
    if (!records.length) print(`There is no key: make one with  ${ownCommand()} keys create --name <name>`)
    for (const row of alignColumns([headings, ...records.map(toRow)])) print(row)
    return Promise.resolve()
  },
}

const headings = ['ID', 'NAME', 'STATE', 'EXPIRES', 'MODELS', 'POLICY', 'TEAM', 'QUOTA']

const toRow = (record: KeyRecord): string[] => [
  record.id,
  record.name,
  stateOf(record),
  record.expires ?? 'never',
  record.models?.join(',') ?? 'all',
  record.policy ?? '',
  record.team ?? '',
  describeQuota(record.quota),
]

const set: CommandDefinition = {
  name: 'set',
  description: 'change what a key may use, at once on running servers; what they run goes on',
  arguments: [{ name: '<key>', description: 'id or name of the key' }],
  options: quotaOptions,
  run: ({ arguments: [idOrName = ''], options }, { home, models: known, options: configured, print }) => {
    const { quota, team } = readQuotaFlags(options)
    if (!Object.keys(quota).length && team === undefined)
      throw invalidField('keys set', 'say what to change, such as --rpm 60')
    const record = new KeyStore(home).setQuota(idOrName, quota, team)
    if (known) warnOfTeam(configured, team)
    const own = describeQuota(record.quota) || 'the quota of the configuration'
    print(`key ${record.id} (${record.name}) has ${own}${record.team === undefined ? '' : `, team ${record.team}`}`)
    return Promise.resolve()
  },
}

const warnOfTeam = (configured: unknown, team: string | undefined): void => {
  const { quotas } = (configured ?? {}) as Partial<Pick<ServerOptions, 'quotas'>>
  if (team && !Object.hasOwn(quotas?.teams ?? {}, team))
    printNotice(`warning: its requests are refused until server.quotas.teams of the configuration has "${team}"`)
}

const revoke: CommandDefinition = {
  name: 'revoke',
  description: 'revoke a key at once, on running servers too',
  arguments: [{ name: '<key>', description: 'id or name of the key' }],
  run: ({ arguments: [idOrName = ''] }, { home, print }) => {
    const { id, name } = new KeyStore(home).revoke(idOrName)
    print(`revoked key ${id} (${name})`)
    return Promise.resolve()
  },
}

/** `sallyport keys create | list | set | revoke` */
export const keysCommand: CommandDefinition = {
  name: 'keys',
  description: 'API keys of the server',
  commands: [create, list, set, revoke],
}

const expiryAfter = (duration: string): Date => new Date(Date.now() + secondsOf('--expires', duration) * 1000)
