import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Pattern } from './digest.js'

const hour = 3_600_000
/** What a cut download leaves is worth resuming for this long; what is unpacked from a package, for this long. */
const staleAfter = { part: 7 * 24 * hour, package: hour }

const suffixes = { part: '.part', package: '.package' }

/** Of a file under any of its names. */
export const fileIdentity = ({ dev, ino }: Stats): string => `${dev} ${ino}`

/**
 * Files by the SHA-256 of their content: `blobs/sha256/<hex>`. A blob appears under its name only when it is complete,
 * on the disk and checked; before that it lies in `incoming`, in the same file system.
 */
export class BlobStore {
  readonly locks: string
  private readonly blobs: string
  private readonly incoming: string
  private prepared: Promise<void> | undefined

  constructor(readonly directory: string) {
    this.blobs = join(directory, 'blobs', 'sha256')
    this.incoming = join(directory, 'incoming')
    this.locks = join(directory, 'locks')
  }

  path(sha256: string): string {
    if (!sha256Pattern.test(sha256)) throw new RangeError('not a SHA-256')
    return join(this.blobs, sha256)
  }

  /** Whether the blob is there, by its name and size: its content is looked at where a model is resolved. */
  async has(sha256: string, size: number | undefined): Promise<boolean> {
    const found = await stat(this.path(sha256)).catch(() => undefined)
    return found !== undefined && found.isFile() && (size === undefined || found.size === size)
  }

  async size(sha256: string): Promise<number> {
    return (await stat(this.path(sha256))).size
  }

  /** Makes the directories and removes what earlier processes left unfinished. Once per store. */
  async prepare(): Promise<void> {
    await (this.prepared ??= this.setUp())
  }

  private async setUp(): Promise<void> {
    for (const directory of [this.blobs, this.incoming, this.locks]) await mkdir(directory, { recursive: true })
    for (const name of await readdir(this.incoming)) {
      const limit = name.endsWith(suffixes.package) ? staleAfter.package : staleAfter.part
      const path = join(this.incoming, name)
      const found = await stat(path).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > limit) await rm(path, { recursive: true, force: true })
    }
  }

  /**
   * A file of the caller's own to write the blob to; what an earlier, dead process has left of it is taken over. The
   * caller holds the lock of the key.
   */
  async claimPart(key: string): Promise<string> {
    const own = this.newName(key, 'part')
    for (const [index, left] of (await this.leftovers(key, 'part')).entries())
      if (index === 0) await rename(left, own)
      else await rm(left, { force: true })
    return own
  }

  /** An empty directory to fetch a package into. The caller holds the lock of the key. */
  async claimDirectory(key: string): Promise<string> {
    for (const left of await this.leftovers(key, 'package')) await rm(left, { recursive: true, force: true })
    const own = this.newName(key, 'package')
    await mkdir(own, { mode: 0o700 })
    return own
  }

  /** Moves a checked file to its name. */
  async adopt(part: string, sha256: string): Promise<void> {
    const handle = await open(part, 'r+')
    await handle.sync().finally(() => handle.close())
    await chmod(part, 0o444)
    await rename(part, this.path(sha256))
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.path(sha256), { force: true })
  }

  /** Digests of all blobs, with their sizes. */
  async list(): Promise<ReadonlyMap<string, number>> {
    const names = await readdir(this.blobs).catch(() => [])
    const known = names.filter((name) => sha256Pattern.test(name))
    return new Map(await Promise.all(known.map(async (name) => [name, await this.size(name)] as const)))
  }

  /** All blobs, as {@link fileIdentity} tells them apart. */
  async identities(): Promise<ReadonlySet<string>> {
    const digests = [...(await this.list()).keys()]
    return new Set(await Promise.all(digests.map(async (sha256) => fileIdentity(await stat(this.path(sha256))))))
  }

  private newName(key: string, kind: keyof typeof suffixes): string {
    return join(this.incoming, `${key}.${randomUUID()}${suffixes[kind]}`)
  }

  /** The largest first. */
  private async leftovers(key: string, kind: keyof typeof suffixes): Promise<string[]> {
    const names = await readdir(this.incoming)
    const paths = names
      .filter((name) => name.startsWith(`${key}.`) && name.endsWith(suffixes[kind]))
      .map((name) => join(this.incoming, name))
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
    return paths
      .map((path, index) => ({ path, size: sizes[index] ?? 0 }))
      .sort((a, b) => b.size - a.size)
      .map(({ path }) => path)
  }
}
