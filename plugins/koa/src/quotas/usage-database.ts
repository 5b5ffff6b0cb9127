/** Usage in SQLite: one row for each day, key, team and model. */

import { chmodSync, closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { failure, loggable, systemCode } from '@sallyport/core'
import { isStorageFull } from '../storage-full.js'
import { monthOf } from './period.js'
import type { MinuteUse, Owner, Totals, UsageGroup, UsageRow, UsageStore, UsageSum } from './usage-store.js'

/** The version of the tables below. */
const version = 1

const tables = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS usage (
    key TEXT NOT NULL, day TEXT NOT NULL, team TEXT NOT NULL, model TEXT NOT NULL,
    requests INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, cost REAL NOT NULL,
    PRIMARY KEY (key, day, team, model)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS usage_of_team ON usage (team, day);
  CREATE TABLE IF NOT EXISTS minutes (
    kind TEXT NOT NULL, name TEXT NOT NULL, requests REAL NOT NULL, tokens REAL NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${version};
  COMMIT
`

/** What is used of libsql, whose own types are untyped. */
interface Database {
  readonly inTransaction: boolean
  /** Runs in another thread, so that a slow disk does not hold up the event loop. */
  exec(sql: string): Promise<void>
  prepare(sql: string): Promise<Statement>
  close(): void
}

interface Statement {
  get(...parameters: unknown[]): Promise<unknown>
  all(...parameters: unknown[]): Promise<unknown[]>
}

/** Loaded when it is needed: it is native code, which not every machine has. */
const connect = (path: string): Database =>
  new (createRequire(import.meta.url)('libsql/promise') as new (path: string) => Database)(path)

/** The file in a state directory. */
export const usageFile = (home: string): string => join(home, 'usage.db')

export class UsageDatabase implements UsageStore {
  private database: Database | undefined

  /** @param sync whether what was added outlives power loss; otherwise it outlives the process */
  constructor(
    readonly path: string,
    private readonly sync = false,
  ) {}

  async open(): Promise<void> {
    if (this.database) return
    let database: Database | undefined
    try {
      // Only its owner may read it; SQLite gives its WAL and shared-memory files the same mode.
      closeSync(openSync(this.path, 'a', 0o600))
      chmodSync(this.path, 0o600)
      database = connect(this.path)
      // Short, because a wait in SQLite holds up the threads of other connections.
      await database.exec(`PRAGMA busy_timeout = 20; PRAGMA synchronous = ${this.sync ? 'FULL' : 'NORMAL'}`)
      const opened = database
      await whileBusy(opened, () => opened.exec('PRAGMA journal_mode = WAL'))
      await whileBusy(opened, () => prepare(opened))
      this.database = opened
    } catch (error) {
      database?.close()
      const problem = isStorageFull(error) ? noRoom : unusable
      throw failure('config_invalid', { where: this.path, problem }, { cause: error })
    }
  }

  async add(rows: readonly UsageRow[], minutes: readonly MinuteUse[]): Promise<void> {
    const database = this.opened()
    const sql = `BEGIN IMMEDIATE; ${addition(rows)}; ${replacement(minutes)}; COMMIT`
    await whileBusy(database, () => database.exec(sql))
  }

  async totals(owners: readonly Owner[], day: string): Promise<readonly Totals[]> {
    const sums = { key: await this.sumsOf('key', owners, day), team: await this.sumsOf('team', owners, day) }
    return owners.map(({ kind, name }) => sums[kind].get(name) ?? { dayTokens: 0, monthTokens: 0, monthCost: 0 })
  }

  async minuteUse({ kind, name }: Owner): Promise<MinuteUse | undefined> {
    const statement = await this.opened().prepare(
      'SELECT kind, name, requests, tokens, at FROM minutes WHERE kind = ? AND name = ?',
    )
    return (await statement.get(kind, name)) as MinuteUse | undefined
  }

  async sums(groups: readonly UsageGroup[], since: string): Promise<readonly UsageSum[]> {
    const columns = groups.join(', ')
    const statement = await this.opened().prepare(
      `SELECT ${columns}, sum(requests) AS requests, sum(tokens_in) AS tokensIn, sum(tokens_out) AS tokensOut,
        sum(cost) AS cost FROM usage WHERE day >= ? GROUP BY ${columns} ORDER BY ${columns}`,
    )
    return (await statement.all(since)) as UsageSum[]
  }

  close(): Promise<void> {
    this.database?.close()
    this.database = undefined
    return Promise.resolve()
  }

  private async sumsOf(
    kind: Owner['kind'],
    owners: readonly Owner[],
    day: string,
  ): Promise<ReadonlyMap<string, Totals>> {
    const names = owners.filter((owner) => owner.kind === kind).map(({ name }) => name)
    if (!names.length) return new Map()
    const { first, last } = monthOf(day)
    const statement = await this.opened().prepare(
      `SELECT ${kind} AS name, sum((tokens_in + tokens_out) * (day = ?)) AS dayTokens,
        sum(tokens_in + tokens_out) AS monthTokens, sum(cost) AS monthCost
        FROM usage WHERE ${kind} IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? GROUP BY ${kind}`,
    )
    const rows = (await statement.all(day, JSON.stringify(names), first, last)) as (Totals & { name: string })[]
    return new Map(
      rows.map(({ name, dayTokens, monthTokens, monthCost }) => [name, { dayTokens, monthTokens, monthCost }]),
    )
  }

  private opened(): Database {
    if (!this.database) throw loggable(new Error('the database of usage is not open'))
    return this.database
  }
}

const noRoom = 'cannot be used to count usage, because the storage is full: make room on the disk'

const unusable =
  'cannot be used to count usage: it must be a file that the server may write, with nothing in it or with usage of ' +
  'this version, and not damaged; restore it, or delete it to begin anew'

/** Milliseconds for which another process may keep the database locked. */
const patience = 5000

/** Does the work, again where another process has the database locked. A transaction that fails is rolled back. */
const whileBusy = async <Result>(database: Database, work: () => Promise<Result>): Promise<Result> => {
  const deadline = performance.now() + patience
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (database.inTransaction) await database.exec('ROLLBACK').catch(() => undefined)
      if (!systemCode(error)?.startsWith('SQLITE_BUSY') || performance.now() > deadline) throw error
      await sleep(5 + Math.random() * 20)
    }
}

const prepare = async (database: Database): Promise<void> => {
  if ((await count(database, 'SELECT count(*) AS n FROM sqlite_master')) === 0) await database.exec(tables)
  const found = await count(database, 'SELECT user_version AS n FROM pragma_user_version')
  if (found !== version) throw loggable(new Error(`the database is of another kind or version: ${found}`))
}

const count = async (database: Database, query: string): Promise<number> =>
  ((await (await database.prepare(query)).get()) as { n: number }).n

const addition = (rows: readonly UsageRow[]): string =>
  rows.length
    ? `INSERT INTO usage VALUES ${rows.map(valuesOf).join(', ')} ON CONFLICT DO UPDATE SET
        requests = requests + excluded.requests, tokens_in = tokens_in + excluded.tokens_in,
        tokens_out = tokens_out + excluded.tokens_out, cost = cost + excluded.cost`
    : ''

const valuesOf = ({ key, day, team, model, requests, tokensIn, tokensOut, cost }: UsageRow): string =>
  `(${[key, day, team, model].map(quoted).join(', ')}, ${[requests, tokensIn, tokensOut, cost].join(', ')})`

const replacement = (minutes: readonly MinuteUse[]): string =>
  minutes.length
    ? `REPLACE INTO minutes VALUES ${minutes
        .map(
          ({ kind, name, requests, tokens, at }) => `(${quoted(kind)}, ${quoted(name)}, ${requests}, ${tokens}, ${at})`,
        )
        .join(', ')}`
    : ''

/** A text as SQL writes it: statements of the other thread take no parameters. */
const quoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`
