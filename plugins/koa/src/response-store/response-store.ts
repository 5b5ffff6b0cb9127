import { loggable } from '@sallyport/core'
import type { Logger, ReplacedText } from '@sallyport/core'
import type Database from 'libsql'
import { notStored, openDatabase, withStoreErrors } from './response-database.js'
import { seal, unseal } from './sealed.js'

/** A stored response. Its items have the form that items have in requests. */
export interface StoredResponse {
  readonly id: string
  /** The id of the response that it continues. */
  readonly previous: string | undefined
  /** The response as clients get it. */
  readonly response: object
  /** The items of its own request, without those of earlier responses. */
  readonly input: readonly object[]
  readonly output: readonly { readonly id?: string }[]
  /** What was replaced in its own request, to be put back into answers that continue it. */
  readonly replaced?: readonly ReplacedText[]
}

/** One turn of a conversation. */
export interface Turn {
  readonly previous: string | undefined
  /** The items of the request, followed by those of the response. */
  readonly items: readonly unknown[]
  readonly replaced: readonly ReplacedText[]
}

/** Reserves bytes before they are parsed. @throws overloaded, rate_limited */
export type ReserveBytes = (bytes: number) => void

export interface StoreLimits {
  /** Seconds. */
  readonly expireAfter: number
  /** The bytes of all responses. */
  readonly bytes: number
  /** The bytes of one tenant's responses. */
  readonly perTenant: number
}

/** Milliseconds between two deletions of expired responses. */
const sweepInterval = 60_000

/**
 * Responses in a SQLite file, which several processes may use. Each is stored for its tenant alone: for other tenants
 * it does not exist. Methods throw `overloaded` while another process locks the database.
 */
export class ResponseStore {
  private readonly database: Database.Database
  private readonly sweeping: NodeJS.Timeout
  /** Whether the write-ahead log may still hold deleted responses. */
  private logIsStale = true

  /**
   * @param path of the file, which is made where it is missing, for its owner only
   * @param secret 32 bytes to encrypt what is stored; without it, all is plain but what was replaced, which is not stored
   * @throws config_invalid for a file that cannot be used, or belongs to another program
   */
  constructor(
    path: string,
    private readonly limits: StoreLimits,
    private readonly logger: Logger,
    private readonly secret?: Uint8Array,
    private readonly now: () => number = Date.now,
  ) {
    this.database = openDatabase(path)
    this.trySweep()
    this.sweeping = setInterval(() => this.trySweep(), sweepInterval).unref()
  }

  /** @throws insufficient_storage */
  put(tenant: string, { id, previous, response, input, output, replaced = [] }: StoredResponse): void {
    const columns = { response, input: this.secret ? { items: input, replaced } : input, output }
    const texts = Object.entries(columns).map(([name, value]) => this.written(value, tenant, id, previous ?? '', name))
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    if (bytes > this.limits.perTenant) throw notStored(loggable(new Error('it alone is more than one key may store')))
    const store = () => {
      this.database
        .prepare('INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(tenant, id, previous ?? null, this.now(), bytes, ...texts)
      const insert = this.database.prepare('INSERT INTO items VALUES (?, ?, ?, ?)')
      for (const item of output)
        if (item.id !== undefined) insert.run(tenant, item.id, id, this.written(item, tenant, item.id, 'item'))
      return this.evictOldest(tenant)
    }
    if (withStoreErrors(() => this.write(store), notStored)) this.truncateLog()
  }

  /** The response as clients get it; undefined for one that is not stored. */
  response(tenant: string, id: string): unknown {
    const row = this.row(tenant, id)
    return row && this.read(row.response, tenant, id, row.previous ?? '', 'response')
  }

  turn(tenant: string, id: string, reserve: ReserveBytes): Turn | undefined {
    const row = this.row(tenant, id)
    if (!row) return undefined
    const [input, output] = (['input', 'output'] as const).map((name) => {
      reserve(Buffer.byteLength(row[name]))
      return this.read(row[name], tenant, id, row.previous ?? '', name)
    })
    if (!input || !output) return undefined
    const { items, replaced } = (this.secret ? input : { items: input, replaced: [] }) as StoredInput
    return { previous: row.previous ?? undefined, items: [...items, ...(output as unknown[])], replaced }
  }

  /** One item of a response's output. */
  item(tenant: string, id: string, reserve: ReserveBytes): unknown {
    const query = `
      SELECT item FROM items JOIN responses ON responses.tenant = items.tenant AND responses.id = items.response
      WHERE items.tenant = ? AND items.id = ? AND created > ?`
    const found = withStoreErrors(() => this.database.prepare(query).get(tenant, id, this.expiryTime())) as
      { item: Written } | undefined
    if (!found) return undefined
    reserve(Buffer.byteLength(found.item))
    return this.read(found.item, tenant, id, 'item')
  }

  /** Returns false for a response that is not stored. @throws insufficient_storage */
  delete(tenant: string, id: string): boolean {
    return withStoreErrors(() => {
      const exists = this.row(tenant, id) !== undefined
      this.write(() => this.database.prepare('DELETE FROM responses WHERE tenant = ? AND id = ?').run(tenant, id))
      this.truncateLog()
      return exists
    })
  }

  close(): void {
    clearInterval(this.sweeping)
    this.truncateLog()
    withStoreErrors(() => this.database.close())
  }

  /** @param place where it is stored: it cannot be read elsewhere */
  private written(value: unknown, ...place: string[]): Written {
    const text = JSON.stringify(value)
    return this.secret ? seal(this.secret, text, JSON.stringify(place)) : text
  }

  /**
   * Undefined for what cannot be decrypted. Servers without a secret, and earlier ones, wrote plain text, which nobody
   * else takes: whoever may write the file could put words into a conversation.
   */
  private read(written: Written, ...place: string[]): unknown {
    const isPlain = typeof written === 'string'
    try {
      if (!this.secret && isPlain) return JSON.parse(written)
      if (this.secret && !isPlain) return JSON.parse(unseal(this.secret, written, JSON.stringify(place)))
    } catch {
      // The library's message says no more.
    }
    const problem = 'it was stored under another secret or none, or is damaged'
    this.logger.warn({ id: place[1] }, `a stored response cannot be read: ${problem}`)
    return undefined
  }

  /** Takes the write lock first: a statement that fails on another process's lock would keep its own read lock. */
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

  /** Truncates the write-ahead log, which holds deleted responses until then. */
  private truncateLog(): void {
    this.logIsStale = true
    try {
      const { busy } = this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      this.logIsStale = busy !== 0
    } catch (error) {
      this.logger.warn({ err: error }, 'deleted responses could not be erased from the write-ahead log: will retry')
    }
  }

  private row(tenant: string, id: string): Row | undefined {
    const query = 'SELECT previous, response, input, output FROM responses WHERE tenant = ? AND id = ? AND created > ?'
    return withStoreErrors(() => this.database.prepare(query).get(tenant, id, this.expiryTime())) as Row | undefined
  }

  /** Responses created at this time or before have expired. */
  private expiryTime(): number {
    return this.now() - this.limits.expireAfter * 1000
  }

  /** Deletes expired responses; where another process locks the database, the next sweep does it. */
  private trySweep(): void {
    try {
      this.sweep()
    } catch (error) {
      this.logger.warn({ err: error }, 'expired responses could not be deleted: will retry')
    }
  }

  private sweep(): void {
    const expired = this.database.prepare('DELETE FROM responses WHERE created <= ?')
    const { changes } = this.write(() => expired.run(this.expiryTime()))
    if (changes || this.logIsStale) this.truncateLog()
  }

  /** Deletes the oldest responses while there are too many bytes. @returns whether any was deleted */
  private evictOldest(tenant: string): boolean {
    const { bytes, perTenant } = this.limits
    const own = this.database.prepare('SELECT bytes FROM totals WHERE tenant = ?')
    const all = this.database.prepare('SELECT sum(bytes) AS bytes FROM totals')
    const oldestOwn = this.database.prepare(oldestWhere('WHERE tenant = ?'))
    const oldest = this.database.prepare(oldestWhere(''))
    let deleted = 0
    while ((own.get(tenant) as Total).bytes > perTenant) deleted += oldestOwn.run(tenant).changes
    while ((all.get() as Total).bytes > bytes) deleted += oldest.run().changes
    return deleted > 0
  }
}

/** Plain JSON, or JSON that is encrypted. */
type Written = string | Uint8Array

/** What is encrypted of a request. */
interface StoredInput {
  readonly items: readonly unknown[]
  readonly replaced: readonly ReplacedText[]
}

interface Row {
  readonly previous: string | null
  readonly response: Written
  readonly input: Written
  readonly output: Written
}

interface Total {
  readonly bytes: number
}

const oldestWhere = (where: string): string =>
  `DELETE FROM responses WHERE rowid = (SELECT rowid FROM responses ${where} ORDER BY created, rowid LIMIT 1)`
