import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure } from '@sallyport/core'
import { isFull, storageFull } from '../storage-full.js'
import type { Identity } from './credential.js'
import { parseRecord, stateOf } from './key-record.js'
import type { KeyRecord } from './key-record.js'
import { hashKey, isMissing, loadPepper } from './pepper.js'

export interface NewKey {
  readonly name: string
  readonly expires?: Date
  readonly models?: readonly string[]
  readonly policy?: string
  /** The key itself, where the environment supplies it. */
  readonly supplied?: string
}

/** Two changes within this time may leave the directory with the same time stamp. */
const clockGrain = 50

/** Where keys lie. */
export const keysIn = (home: string): string => join(home, 'keys')

const recordFile = /^[\da-f]{64}\.json$/

/**
 * Keys in a directory, one file each and named by the hash, so that several processes create and revoke without a lock.
 * Every authentication looks whether the directory has changed: a revoked key stops working at once.
 */
export class KeyStore {
  private readonly directory: string
  private readonly pepper: Buffer
  private byHash: ReadonlyMap<string, KeyRecord> = new Map()
  private seen: bigint | undefined

  /**
   * @param home where the project keeps its state
   * @throws config_invalid where the server's secret is damaged
   */
  constructor(home: string) {
    this.directory = keysIn(home)
    mkdirSync(this.directory, { recursive: true, mode: 0o700 })
    this.pepper = loadPepper(this.directory)
  }

  /** Whose key this is; undefined for unknown, expired and revoked keys alike. Takes the same time for each. */
  authenticate(key: string): Identity | undefined {
    this.refresh()
    const digest = hashKey(this.pepper, key)
    const record = this.byHash.get(digest.toString('hex'))
    const equal = timingSafeEqual(digest, record ? Buffer.from(record.hash, 'hex') : Buffer.alloc(digest.length))
    if (!record || !equal || stateOf(record) !== 'active') return undefined
    const { id: tenant, models, policy } = record
    return { tenant, ...(models ? { models } : {}), ...(policy === undefined ? {} : { policy }) }
  }

  /** Oldest first. */
  list(): readonly KeyRecord[] {
    this.refresh()
    return [...this.byHash.values()].sort((a, b) => a.created.localeCompare(b.created))
  }

  /** The record of a key, whatever its state. */
  find(key: string): KeyRecord | undefined {
    this.refresh()
    return this.byHash.get(hashKey(this.pepper, key).toString('hex'))
  }

  /** The key is shown this once and cannot be had again. @throws invalid_request when the name is in use */
  create({ name, expires, models, policy, supplied }: NewKey): { readonly key: string; readonly record: KeyRecord } {
    const key = supplied ?? newKey()
    if (this.list().some((record) => record.name === name && stateOf(record) === 'active'))
      throw failure('invalid_request', { problem: `there is a key named ${name}: choose another name, or revoke it` })
    const record: KeyRecord = {
      id: randomUUID(),
      name,
      hash: hashKey(this.pepper, key).toString('hex'),
      created: new Date().toISOString(),
      ...(expires ? { expires: expires.toISOString() } : {}),
      ...(models ? { models } : {}),
      ...(policy === undefined ? {} : { policy }),
      ...(supplied === undefined ? {} : { supplied: true }),
    }
    this.write(record)
    return { key, record }
  }

  /**
   * Ends the keys that the environment supplied before and does not now. They are forgotten, so that one which comes
   * back works; a revoked one stays revoked.
   * @returns those that worked until now
   */
  keepSupplied(key: string | undefined): readonly KeyRecord[] {
    const current = key === undefined ? undefined : this.find(key)?.hash
    const gone = this.list().filter(
      (record) => record.supplied && record.hash !== current && record.revoked === undefined,
    )
    for (const { hash } of gone) rmSync(join(this.directory, `${hash}.json`), { force: true })
    this.seen = undefined
    return gone
  }

  /** By id or name. @throws invalid_request when there is no such active key */
  revoke(idOrName: string): KeyRecord {
    const candidates = this.list().filter((record) => record.revoked === undefined)
    const record = candidates.find(({ id }) => id === idOrName) ?? candidates.findLast(({ name }) => name === idOrName)
    if (!record) throw failure('invalid_request', { problem: `there is no key ${idOrName}: see sallyport keys list` })
    const revoked = { ...record, revoked: new Date().toISOString() }
    this.write(revoked, `, or delete ${this.fileOf(record)}, which ends the key, too`)
    return revoked
  }

  /** Renamed into place: readers see the whole file or none, and the directory's time stamp tells that it is there. */
  private write(record: KeyRecord, otherwise = ''): void {
    const file = this.fileOf(record)
    const draft = `${file}.${randomUUID()}`
    try {
      writeFileSync(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600, flush: true })
      renameSync(draft, file)
    } catch (error) {
      rmSync(draft, { force: true })
      if (!isFull(error)) throw error
      throw storageFull(`the key cannot be written to ${this.directory}: make room${otherwise}`, error)
    }
    this.seen = undefined
  }

  private fileOf({ hash }: KeyRecord): string {
    return join(this.directory, `${hash}.json`)
  }

  private refresh(): void {
    // Synchronous: 3 microseconds, where the thread pool would take 50 and may be busy.
    const changed = statSync(this.directory, { bigint: true, throwIfNoEntry: false })?.mtimeNs
    if (changed !== undefined && changed === this.seen) return
    this.byHash = new Map(this.read().map((record) => [record.hash, record]))
    const settled = changed !== undefined && Date.now() - Number(changed / 1_000_000n) > clockGrain
    this.seen = settled ? changed : undefined
  }

  /** No directory, no keys: whatever cannot be read does not authenticate. */
  private read(): KeyRecord[] {
    try {
      return readdirSync(this.directory)
        .filter((name) => recordFile.test(name))
        .flatMap((name) => this.recordIn(join(this.directory, name)) ?? [])
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  /** One that is gone since the directory was listed takes no other key with it. */
  private recordIn(file: string): KeyRecord | undefined {
    try {
      return parseRecord(readFileSync(file, 'utf8'))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
}

const newKey = (): string => `sp-${randomBytes(32).toString('base64url')}`
