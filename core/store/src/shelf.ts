import type { BlobStore } from './blob-store.js'
import type { LocalDigests } from './local-files.js'
import type { PlannedFile } from './planned-file.js'

/** A file that is on this machine: in the cache, or where its owner keeps it. */
export type FoundFile =
  { readonly kind: 'blob'; readonly sha256: string } | { readonly kind: 'path'; readonly path: string }

/** What of a model is on this machine. */
export class Shelf {
  constructor(
    readonly blobs: BlobStore,
    private readonly digests: LocalDigests,
  ) {}

  async find({ digest, size, sources }: PlannedFile): Promise<FoundFile | undefined> {
    // Git's hash of a file does not lead to it.
    if (digest.algorithm === 'sha256' && (await this.blobs.has(digest.hex, size)))
      return { kind: 'blob', sha256: digest.hex }
    for (const source of sources)
      if (source.kind === 'path' && (await this.problemOf(source.path, digest.hex)) === undefined)
        return { kind: 'path', path: source.path }
    return undefined
  }

  /** Whether a blob holds what its name says: it is read through where it has changed, or was never read. */
  async isSound(sha256: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.digests.sha256(this.blobs.path(sha256), signal)) === sha256
  }

  /** A blob that was read through as it was fetched. */
  async noteSound(sha256: string): Promise<void> {
    await this.digests.note(this.blobs.path(sha256), sha256)
  }

  /** Why the file's sources on this machine did not serve. */
  async problems({ digest, sources }: PlannedFile): Promise<string[]> {
    const problems: string[] = []
    for (const source of sources)
      if (source.kind === 'path')
        problems.push(
          `path ${source.path}: ${(await this.problemOf(source.path, digest.hex)) ?? 'has changed just now'}`,
        )
    return problems
  }

  pathOf(found: FoundFile): string {
    return found.kind === 'blob' ? this.blobs.path(found.sha256) : found.path
  }

  private async problemOf(path: string, sha256: string): Promise<string | undefined> {
    const actual = await this.digests.sha256(path).catch(() => undefined)
    if (actual === undefined) return 'there is no such file, or it cannot be read'
    return actual === sha256 ? undefined : `has the wrong checksum: expected sha256 ${sha256}, got ${actual}`
  }
}
