/** Responses in a SQLite database: several processes may use the same file. */

import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import type Database from 'libsql'
import { chmodSync, closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { KeptResponse, ResponseStore, StoreLimits } from './response-store.js'

/** Of the tables below. */
const version = 1

const tables = `
  CREATE TABLE responses (
    tenant TEXT NOT NULL, id TEXT NOT NULL, created INTEGER NOT NULL, bytes INTEGER NOT NULL,
    response TEXT NOT NULL, input TEXT NOT NULL, output TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
  );
  CREATE INDEX oldest ON responses (created);
  CREATE INDEX oldest_of_tenant ON responses (tenant, created);
  CREATE TABLE items (
    tenant TEXT NOT NULL, id TEXT NOT NULL, response TEXT NOT NULL, item TEXT NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, response) REFERENCES responses (tenant, id) ON DELETE CASCADE
  );
  CREATE INDEX items_of_response ON items (tenant, response);
  CREATE TABLE totals (tenant TEXT PRIMARY KEY, bytes INTEGER NOT NULL);
  CREATE TRIGGER added AFTER INSERT ON responses BEGIN
    INSERT INTO totals VALUES (new.tenant, new.bytes)
      ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + new.bytes;
  END;
  CREATE TRIGGER removed AFTER DELETE ON responses BEGIN
    UPDATE totals SET bytes = bytes - old.bytes WHERE tenant = old.tenant;
    DELETE FROM totals WHERE tenant = old.tenant AND bytes <= 0;
  END;
  PRAGMA user_version = ${version};
`

/** Milliseconds between looks for what has expired while nothing is asked. */
const sweepEvery = 60_000

export class SqliteResponseStore implements ResponseStore {
  private readonly database: Database.Database
  private readonly sweeping: NodeJS.Timeout
  /** Whether what was removed may stand in the log of changes still. */
  private stale = true

  /**
   * @param path of the file, which is made where it is missing, for its owner only
   * @throws config_invalid for a file that cannot be used, or is none of ours
   */
  constructor(
    path: string,
    private readonly limits: StoreLimits,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {
    this.database = openDatabase(path)
    this.trySweep()
    this.sweeping = setInterval(() => this.trySweep(), sweepEvery).unref()
  }

  put(tenant: string, { id, response, input, output }: KeptResponse): void {
    const texts = [response, input, output].map((value) => JSON.stringify(value))
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    // What alone is more than may be kept is not.
    if (bytes > this.limits.perTenant) return
    const store = () => {
      this.database
        .prepare('INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(tenant, id, this.now(), bytes, ...texts)
      const insert = this.database.prepare('INSERT INTO items VALUES (?, ?, ?, ?)')
      for (const item of output) if (item.id !== undefined) insert.run(tenant, item.id, id, JSON.stringify(item))
      return this.forgetOldest(tenant)
    }
    if (tell(() => this.write(store), notKept)) this.emptyLog()
  }

  response(tenant: string, id: string): unknown {
    const row = this.row(tenant, id)
    return row && JSON.parse(row.response)
  }

  items(tenant: string, id: string): readonly unknown[] | undefined {
    const row = this.row(tenant, id)
    return row && [...(JSON.parse(row.input) as unknown[]), ...(JSON.parse(row.output) as unknown[])]
  }

  item(tenant: string, id: string): unknown {
    const query = `
      SELECT item FROM items JOIN responses ON responses.tenant = items.tenant AND responses.id = items.response
      WHERE items.tenant = ? AND items.id = ? AND created > ?`
    const found = tell(() => this.database.prepare(query).get(tenant, id, this.oldest())) as
      { item: string } | undefined
    return found && JSON.parse(found.item)
  }

  remove(tenant: string, id: string): boolean {
    return tell(() => {
      const kept = this.row(tenant, id) !== undefined
      this.write(() => this.database.prepare('DELETE FROM responses WHERE tenant = ? AND id = ?').run(tenant, id))
      this.emptyLog()
      return kept
    })
  }

  close(): void {
    clearInterval(this.sweeping)
    this.emptyLog()
    tell(() => this.database.close())
  }

  /** A statement that fails because another process writes would keep its lock: the lock for writing is taken before. */
  private write<Result>(change: () => Result): Result {
    return this.database.transaction(change).immediate()
  }

  /** What was removed stands in the log of changes until that is written over. */
  private emptyLog(): void {
    this.stale = true
    try {
      const { busy } = this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      this.stale = busy !== 0
    } catch (error) {
      this.logger.warn({ err: error }, 'what was removed of the responses is not overwritten yet: tried again soon')
    }
  }

  private row(tenant: string, id: string) {
    const query = 'SELECT response, input, output FROM responses WHERE tenant = ? AND id = ? AND created > ?'
    return tell(() => this.database.prepare(query).get(tenant, id, this.oldest())) as
      { response: string; input: string; output: string } | undefined
  }

  /** What was made then or before has expired. */
  private oldest(): number {
    return this.now() - this.limits.expireAfter * 1000
  }

  /** What another process stands in the way of is done at the next look. */
  private trySweep(): void {
    try {
      this.sweep()
    } catch (error) {
      this.logger.warn({ err: error }, 'what has expired of the responses could not be removed: tried again soon')
    }
  }

  private sweep(): void {
    const expired = this.database.prepare('DELETE FROM responses WHERE created <= ?')
    const { changes } = this.write(() => expired.run(this.oldest()))
    if (changes || this.stale) this.emptyLog()
  }

  /** Whether it was too much. */
  private forgetOldest(tenant: string): boolean {
    const { bytes, perTenant } = this.limits
    const own = this.database.prepare('SELECT bytes FROM totals WHERE tenant = ?')
    const all = this.database.prepare('SELECT sum(bytes) AS bytes FROM totals')
    const oldestOwn = this.database.prepare(oldestWhere('WHERE tenant = ?'))
    const oldest = this.database.prepare(oldestWhere(''))
    let removed = 0
    while ((own.get(tenant) as Total).bytes > perTenant) removed += oldestOwn.run(tenant).changes
    while ((all.get() as Total).bytes > bytes) removed += oldest.run().changes
    return removed > 0
  }
}

const broken = (cause: unknown) => failure('internal', {}, { cause })

const notKept = (cause: unknown) => {
  const problem = 'the response was made, but could not be kept: ask again with "store": false, or tell the operator'
  return failure('insufficient_storage', { problem }, { cause })
}

/** @throws overloaded where another process has the database, else what is made of the error */
const tell = <Result>(use: () => Result, otherwise: (cause: unknown) => Error = broken): Result => {
  try {
    return use()
  } catch (error) {
    if (isSallyportError(error)) throw error
    if (!isBusy(error)) throw otherwise(error)
    const problem = 'the responses that are kept are in use by another server: try again'
    throw failure('overloaded', { problem }, { cause: error, retryAfter: 1 })
  }
}

const isBusy = (error: unknown): boolean => systemCode(error)?.startsWith('SQLITE_BUSY') ?? false

interface Total {
  readonly bytes: number
}

const oldestWhere = (where: string): string =>
  `DELETE FROM responses WHERE rowid = (SELECT rowid FROM responses ${where} ORDER BY created, rowid LIMIT 1)`

/** Loaded when it is needed: it is native code, which not every machine has. */
const load = (): typeof Database => createRequire(import.meta.url)('libsql') as typeof Database

const openDatabase = (path: string): Database.Database => {
  try {
    // Only its owner may read it; SQLite gives its companions the same mode.
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
    const database = new (load())(path)
    database.exec('PRAGMA busy_timeout = 500; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.transaction(() => prepare(database)).immediate()
    return database
  } catch (error) {
    throw failure(
      'config_invalid',
      {
        where: path,
        problem:
          'cannot be used to keep responses: it must be a file that the server may write, with nothing in it or ' +
          'with responses of this version, and not damaged; restore it, or delete it to begin anew',
        option: ['responses', 'store', 'path'],
      },
      { cause: error },
    )
  }
}

const prepare = (database: Database.Database): void => {
  const found = (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_master').get() as { count: number }
  if (found === 0 && count === 0) database.exec(tables)
  else if (found !== version) throw new Error(`the database is of another kind or version: ${found}`)
  const { quick_check: state } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
  if (state !== 'ok') throw new Error(`the database is damaged: ${state}`)
}
