import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, systemCode } from '@sallyport/core'
import { isStorageFull, storageFull } from '../storage-full.js'
import type { Identity } from './credential.js'
import { parseRecord, stateOf } from './key-record.js'
import type { KeyRecord } from './key-record.js'
import type { KeyQuota, QuotaChange } from '../quotas/quota.js'
import { deriveSecret, hashKey, loadPepper } from './pepper.js'

export interface NewKey {
  readonly name: string
  readonly expires?: Date
  readonly models?: readonly string[]
  readonly policy?: string
  /** What it may use; undefined members: what the configuration says. */
  readonly quota?: QuotaChange
  readonly team?: string
  /** The key itself, where the environment supplies it. */
  readonly supplied?: string
}

/** The members that are set; undefined where none is. */
const ownQuota = (change: QuotaChange): KeyQuota | undefined => {
  const members = Object.entries(change).filter(([, value]) => value !== undefined)
  return members.length ? Object.fromEntries(members) : undefined
}

/** Milliseconds within which two changes may leave the directory with the same time stamp. */
const timestampGranularity = 50

/** The directory of keys in a state directory. */
export const keysDirectory = (home: string): string => join(home, 'keys')

const recordFile = /^[\da-f]{64}\.json$/

/**
 * Keys in a directory, one file each and named by the hash, so that several processes create and revoke without a lock.
 * Every authentication checks whether the directory has changed, so that a revoked key stops working at once.
 */
export class KeyStore {
  private readonly directory: string
  private readonly pepper: Buffer
  private byHash: ReadonlyMap<string, KeyRecord> = new Map()
  private loadedAt: bigint | undefined

  /**
   * @param home the state directory
   * @throws config_invalid where the server's secret is damaged
   */
  constructor(home: string) {
    this.directory = keysDirectory(home)
    mkdirSync(this.directory, { recursive: true, mode: 0o700 })
    this.pepper = loadPepper(this.directory)
  }

  /** Identifies the owner of a key; undefined for unknown, expired and revoked keys, which all take the same time. */
  authenticate(key: string): Identity | undefined {
    this.refresh()
    const digest = hashKey(this.pepper, key)
    const record = this.byHash.get(digest.toString('hex'))
    const equal = timingSafeEqual(digest, record ? Buffer.from(record.hash, 'hex') : Buffer.alloc(digest.length))
    if (!record || !equal || stateOf(record) !== 'active') return undefined
    const { id: tenant, name, models, policy, quota, team } = record
    return {
      ...{ tenant, name },
      ...(models ? { models } : {}),
      ...(policy === undefined ? {} : { policy }),
      ...(quota ? { quota } : {}),
      ...(team === undefined ? {} : { team }),
    }
  }

  /** A secret of this server for one purpose: 32 bytes. */
  secretFor(purpose: string): Uint8Array {
    return deriveSecret(this.pepper, purpose)
  }

  /** Lists the keys, the oldest first. */
  list(): readonly KeyRecord[] {
    this.refresh()
    return [...this.byHash.values()].sort((a, b) => a.created.localeCompare(b.created))
  }

  /** The record of a key, whatever its state. */
  find(key: string): KeyRecord | undefined {
    this.refresh()
    return this.byHash.get(hashKey(this.pepper, key).toString('hex'))
  }

  /** Makes a key, which cannot be read again later. @throws invalid_request when the name is in use */
  create({ name, expires, models, policy, quota = {}, team, supplied }: NewKey): {
    readonly key: string
    readonly record: KeyRecord
  } {
    const key = supplied ?? newKey()
    if (this.list().some((record) => record.name === name && stateOf(record) === 'active'))
      throw failure('invalid_request', { problem: `there is a key named ${name}: choose another name, or revoke it` })
    const own = ownQuota(quota)
    const record: KeyRecord = {
      id: randomUUID(),
      name,
      hash: hashKey(this.pepper, key).toString('hex'),
      created: new Date().toISOString(),
      ...(expires ? { expires: expires.toISOString() } : {}),
      ...(models ? { models } : {}),
      ...(policy === undefined ? {} : { policy }),
      ...(own ? { quota: own } : {}),
      ...(team === undefined ? {} : { team }),
      ...(supplied === undefined ? {} : { supplied: true }),
    }
    this.write(record)
    return { key, record }
  }

  /**
   * Deletes the keys that the environment supplied earlier and does not now. Deleted, and not revoked, so that a key
   * works again when the environment supplies it again; a revoked one stays revoked.
   * @returns the deleted keys
   */
  withdrawOtherSupplied(key: string | undefined): readonly KeyRecord[] {
    const current = key === undefined ? undefined : this.find(key)?.hash
    const withdrawn = this.list().filter(
      (record) => record.supplied && record.hash !== current && record.revoked === undefined,
    )
    for (const record of withdrawn) rmSync(this.fileOf(record), { force: true })
    this.loadedAt = undefined
    return withdrawn
  }

  /** Revokes a key by its id or name. @throws invalid_request when there is no such active key */
  revoke(idOrName: string): KeyRecord {
    const record = this.named(idOrName)
    const revoked = { ...record, revoked: new Date().toISOString() }
    this.write(revoked, `, or delete ${this.fileOf(record)}, which ends the key, too`)
    return revoked
  }

  /**
   * Changes what a key may use, at once in running servers; what they run goes on.
   * @param quota takes the place of those members of its own; undefined: what the configuration says
   * @param team undefined: it stays as it is; empty: the key leaves its team
   * @throws invalid_request when there is no such active key
   */
  setQuota(idOrName: string, quota: QuotaChange, team?: string): KeyRecord {
    const { team: before, quota: own, ...record } = this.named(idOrName)
    const merged = ownQuota({ ...own, ...quota })
    const group = team ?? before
    const changed: KeyRecord = {
      ...record,
      ...(merged ? { quota: merged } : {}),
      ...(group ? { team: group } : {}),
    }
    this.write(changed)
    return changed
  }

  private named(idOrName: string): KeyRecord {
    const candidates = this.list().filter((record) => record.revoked === undefined)
    const record = candidates.find(({ id }) => id === idOrName) ?? candidates.findLast(({ name }) => name === idOrName)
    if (record) return record
    throw failure('invalid_request', { problem: `there is no key ${idOrName}: see sallyport keys list` })
  }

  /** Renames the file into place, so that readers see all of it or nothing, and the directory's time stamp changes. */
  private write(record: KeyRecord, otherwise = ''): void {
    const file = this.fileOf(record)
    const draft = `${file}.${randomUUID()}`
    try {
      writeFileSync(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600, flush: true })
      renameSync(draft, file)
    } catch (error) {
      rmSync(draft, { force: true })
      if (!isStorageFull(error)) throw error
      throw storageFull(`the key cannot be written to ${this.directory}: make room${otherwise}`, error)
    }
    this.loadedAt = undefined
  }

  private fileOf({ hash }: KeyRecord): string {
    return join(this.directory, `${hash}.json`)
  }

  private refresh(): void {
    // A synchronous stat takes 3 microseconds; the thread pool would take 50, and may be busy.
    const changed = statSync(this.directory, { bigint: true, throwIfNoEntry: false })?.mtimeNs
    if (changed !== undefined && changed === this.loadedAt) return
    this.byHash = new Map(this.read().map((record) => [record.hash, record]))
    const settled = changed !== undefined && Date.now() - Number(changed / 1_000_000n) > timestampGranularity
    this.loadedAt = settled ? changed : undefined
  }

  private read(): KeyRecord[] {
    const names = unlessMissing(() => readdirSync(this.directory)) ?? []
    // A file may have been deleted since the directory was listed; the other keys still work.
    return names
      .filter((name) => recordFile.test(name))
      .flatMap((name) => parseRecord(unlessMissing(() => readFileSync(join(this.directory, name), 'utf8')) ?? '') ?? [])
  }
}

/** The result; undefined where the file or directory is missing. */
const unlessMissing = <Result>(read: () => Result): Result | undefined => {
  try {
    return read()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

const newKey = (): string => `sp-${randomBytes(32).toString('base64url')}`
