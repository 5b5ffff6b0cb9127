/** The files of models on this machine. */

import type { Stats } from 'node:fs'
import { chmod, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { maxOf } from '@sallyport/kit/lists'
import { DigestMemory, sha256Pattern } from './digests.js'
import type { PlannedFile } from './planned-file.js'

const hour = 3_600_000
/** Milliseconds: a cut download is worth resuming for a week, unlike a package, of which no part is used. */
const maxAge = { part: 7 * 24 * hour, package: hour }

/** The name of a partial download of earlier versions, with a random part. */
const formerPart = /^((?:sha256|git-sha1)-[0-9a-f]{40,64})\.[\w-]+\.part$/

/** A file on this machine: in the cache, where its name is its SHA-256, or where its owner keeps it. */
export interface LocalFile {
  readonly path: string
  /** The SHA-256 of a file in the cache; absent for others. */
  readonly blob?: string
}

/**
 * A blob (`blobs/sha256/<hex>`) appears under its name only when it is complete, on the disk and checked; before that
 * it lies in `incoming`, in the same file system. `models` has directories of links to blobs, `local` the memory of
 * digests.
 */
export class Cache {
  /** Directories in which a model's files have their own names. */
  readonly models: string
  readonly locks: string
  private readonly blobs: string
  private readonly incoming: string
  private readonly digests: DigestMemory
  private prepared: Promise<void> | undefined

  constructor(readonly directory: string) {
    this.models = join(directory, 'models')
    this.locks = join(directory, 'locks')
    this.blobs = join(directory, 'blobs', 'sha256')
    this.incoming = join(directory, 'incoming')
    this.digests = new DigestMemory(join(directory, 'local'))
  }

  blob(sha256: string): LocalFile & { readonly blob: string } {
    if (!sha256Pattern.test(sha256)) throw new RangeError('not a SHA-256')
    return { path: join(this.blobs, sha256), blob: sha256 }
  }

  /** Finds a blob by its name and size (not by git's hash), or a file that its owner keeps, whose content is hashed. */
  async find({ digest, size, sources }: PlannedFile): Promise<LocalFile | undefined> {
    if (digest.algorithm === 'sha256' && (await this.has(digest.hex, size))) return this.blob(digest.hex)
    for (const source of sources)
      if (source.kind === 'path' && (await this.problemOf(source.path, digest.hex)) === undefined)
        return { path: source.path }
    return undefined
  }

  async has(sha256: string, size?: number): Promise<boolean> {
    const found = await stat(this.blob(sha256).path).catch(() => undefined)
    return found?.isFile() === true && (size === undefined || found.size === size)
  }

  /** Whether a blob has the content that its name promises. It is hashed where it is new or has changed. */
  async isIntact(sha256: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.digests.sha256(this.blob(sha256).path, signal)) === sha256
  }

  /** Why none of the file's sources on this machine could be used. */
  async problems({ digest, sources }: PlannedFile): Promise<string[]> {
    const paths = sources.flatMap((source) => (source.kind === 'path' ? source.path : []))
    const problems = await Promise.all(paths.map((path) => this.problemOf(path, digest.hex)))
    return paths.map((path, index) => `path ${path}: ${problems[index] ?? 'has changed just now'}`)
  }

  private async problemOf(path: string, sha256: string): Promise<string | undefined> {
    const actual = await this.digests.sha256(path).catch(() => undefined)
    if (actual === undefined) return 'there is no such file, or it cannot be read'
    return actual === sha256 ? undefined : `has the wrong checksum: expected sha256 ${sha256}, got ${actual}`
  }

  /** Makes the directories and removes old leftovers of earlier processes, once per store. */
  async prepare(): Promise<void> {
    await (this.prepared ??= this.setUp())
  }

  private async setUp(): Promise<void> {
    for (const directory of [this.blobs, this.incoming, this.locks]) await mkdir(directory, { recursive: true })
    for (const name of await readdir(this.incoming)) {
      const path = join(this.incoming, name)
      // While a package is fetched, its lock is touched, but its directory is not.
      const touched = await Promise.all([path, join(this.locks, basename(name, '.package'))].map(modifiedAt))
      const age = Date.now() - maxOf(touched)
      if (age > maxAge[name.endsWith('.package') ? 'package' : 'part']) await rm(path, { recursive: true, force: true })
      const [, key] = formerPart.exec(name) ?? []
      // Unlike a rename, a link does not replace a newer file.
      if (key !== undefined)
        await link(path, this.partOf(key))
          .then(() => rm(path))
          .catch(() => undefined)
    }
  }

  /** The path to which a blob is written, where a dead process may have left a part. The caller holds the key's lock. */
  partOf(key: string): string {
    return join(this.incoming, `${key}.part`)
  }

  /** An empty directory to fetch a package into. The caller holds the key's lock. */
  async packageDirectory(key: string): Promise<string> {
    const directory = join(this.incoming, `${key}.package`)
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { mode: 0o700 })
    return directory
  }

  /** Moves a checked file to its name. */
  async adopt(part: string, sha256: string): Promise<void> {
    const { path } = this.blob(sha256)
    const handle = await open(part, 'r+')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    await chmod(part, 0o444)
    await rename(part, path)
    await this.digests.remember(path, sha256)
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.blob(sha256).path, { force: true })
  }

  /** All blobs by their SHA-256. */
  async list(): Promise<ReadonlyMap<string, Stats>> {
    const names = (await readdir(this.blobs).catch(() => [])).filter((name) => sha256Pattern.test(name))
    return new Map(await Promise.all(names.map(async (name) => [name, await stat(this.blob(name).path)] as const)))
  }
}

const modifiedAt = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
