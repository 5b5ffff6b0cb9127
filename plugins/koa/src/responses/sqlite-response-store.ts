/** Responses in a SQLite database: several processes may use the same file. */

import { loggable } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import type Database from 'libsql'
import { notKept, openDatabase, tell } from './response-database.js'
import type { Hold, KeptResponse, ResponseStore, StoreLimits, Turn } from './response-store.js'

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

  put(tenant: string, { id, previous, response, input, output }: KeptResponse): void {
    const texts = [response, input, output].map((value) => JSON.stringify(value))
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    if (bytes > this.limits.perTenant) throw notKept(loggable(new Error('it alone is more than one key may keep')))
    const store = () => {
      this.database
        .prepare('INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(tenant, id, previous ?? null, this.now(), bytes, ...texts)
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

  turn(tenant: string, id: string, hold: Hold): Turn | undefined {
    const row = this.row(tenant, id)
    if (!row) return undefined
    const parts = [row.input, row.output].map((text) => parseHeld(text, hold) as unknown[])
    return { previous: row.previous ?? undefined, items: parts.flat() }
  }

  item(tenant: string, id: string, hold: Hold): unknown {
    const query = `
      SELECT item FROM items JOIN responses ON responses.tenant = items.tenant AND responses.id = items.response
      WHERE items.tenant = ? AND items.id = ? AND created > ?`
    const found = tell(() => this.database.prepare(query).get(tenant, id, this.oldest())) as
      { item: string } | undefined
    return found && parseHeld(found.item, hold)
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
    const { database } = this
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = change()
      database.exec('COMMIT')
      return result
    } catch (error) {
      // Some failures, such as a full disk, have undone it already: the library's own `transaction` hides them.
      if (database.inTransaction) database.exec('ROLLBACK')
      throw error
    }
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

  private row(tenant: string, id: string): Row | undefined {
    const query = 'SELECT previous, response, input, output FROM responses WHERE tenant = ? AND id = ? AND created > ?'
    return tell(() => this.database.prepare(query).get(tenant, id, this.oldest())) as Row | undefined
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

const parseHeld = (text: string, hold: Hold): unknown => {
  hold(Buffer.byteLength(text))
  return JSON.parse(text)
}

interface Row {
  readonly previous: string | null
  readonly response: string
  readonly input: string
  readonly output: string
}

interface Total {
  readonly bytes: number
}

const oldestWhere = (where: string): string =>
  `DELETE FROM responses WHERE rowid = (SELECT rowid FROM responses ${where} ORDER BY created, rowid LIMIT 1)`
