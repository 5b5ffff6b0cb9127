import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@sallyport/core'
import type { Environment } from '@sallyport/kit/installation'
import type { BlobStore } from '../blob-store.js'
import type { PackageSource } from '../catalogue-source.js'
import { diskFull } from '../problems.js'
import type { Progress } from '../progress/index.js'
import { clientEnvironment, runClient } from './client.js'
import type { ClientOutcome } from './client.js'
import { registries } from './registries.js'
import type { Registry } from './registries.js'
import { SourceError } from './source-error.js'

export interface DownloadContext {
  readonly blobs: BlobStore
  readonly logger: Logger
  readonly progress: Progress
  readonly environment: Environment
  /** The project's directory: npm reads its `.npmrc`. */
  readonly baseDirectory: string
}

/** What is shown while a package is fetched. The size is that of the wanted files: the package's is not known. */
export interface Shown {
  readonly label: string
  readonly size: number | undefined
}

const measureEvery = 400
const noSpace = /ENOSPC|No space left on device|EDQUOT|Disk quota exceeded/i

/** Identifies a package among locks and directories. */
export const packageKey = ({ kind, package: spec }: PackageSource): string =>
  `${kind}-${createHash('sha256').update(spec).digest('hex').slice(0, 32)}`

/** Fetches each package once, for all the files that are in it, and removes it in the end. */
export class PackageDownloads {
  private readonly archives = new Map<string, Promise<string>>()
  private readonly directories: string[] = []

  constructor(private readonly context: DownloadContext) {}

  /** The package on the disk. The caller holds its lock. @throws SourceError, insufficient_storage */
  archive(source: PackageSource, shown: Shown, signal: AbortSignal): Promise<string> {
    const key = packageKey(source)
    const archive = this.archives.get(key) ?? this.download(source, key, shown, signal)
    this.archives.set(key, archive)
    return archive
  }

  async dispose(): Promise<void> {
    for (const directory of this.directories) await rm(directory, { recursive: true, force: true })
  }

  private async download(source: PackageSource, key: string, shown: Shown, signal: AbortSignal): Promise<string> {
    const directory = await this.context.blobs.claimDirectory(key)
    this.directories.push(directory)
    const places = { target: join(directory, 'target'), scratch: join(directory, 'scratch') }
    for (const place of Object.values(places)) await mkdir(place)
    await this.watch(directory, shown, () => this.runAny(source, { directory, ...places }, signal))
    const { isArchive, title } = registries[source.kind]
    const name = (await readdir(places.target)).find(isArchive)
    if (name === undefined) throw new SourceError(`${title} gave no archive of this package`)
    return join(places.target, name)
  }

  /** Shows how the directory grows while the work goes on: clients tell nobody how far they are. */
  private async watch(directory: string, { label, size }: Shown, work: () => Promise<void>): Promise<void> {
    const transfer = this.context.progress.begin(label, size)
    let outcome: 'done' | 'failed' | undefined
    const measure = async () => {
      const bytes = await sizeOf(directory)
      if (!outcome) transfer.update(Math.min(bytes, size ?? bytes))
    }
    const timer = setInterval(() => void measure(), measureEvery)
    try {
      await work()
      outcome = 'done'
    } finally {
      clearInterval(timer)
      outcome ??= 'failed'
      transfer.end(outcome)
    }
  }

  private async runAny(source: PackageSource, places: Places, signal: AbortSignal): Promise<void> {
    const registry = registries[source.kind]
    for (const program of registry.programs) {
      const outcome = await this.run(registry, program, source.package, places, signal)
      if (outcome.kind === 'done') return
      if (outcome.kind === 'failed') throw this.failed(registry, source.package, outcome)
    }
    throw new SourceError(`${registry.client} is not installed; ${registry.install}`)
  }

  private run(
    registry: Registry,
    [program, ...first]: Registry['programs'][number],
    spec: string,
    { directory, target, scratch }: Places,
    signal: AbortSignal,
  ): Promise<ClientOutcome> {
    const environment = clientEnvironment(this.context.environment, registry.variables)
    return runClient({
      program,
      args: [...first, ...registry.args(spec, target, scratch)],
      // Python imports from the working directory; npm reads the settings of the project there.
      cwd: registry === registries.npm ? this.context.baseDirectory : directory,
      environment: { ...environment, TMPDIR: scratch, TEMP: scratch, TMP: scratch, PIP_REQUIRE_VIRTUALENV: '0' },
      signal,
    })
  }

  private failed(registry: Registry, spec: string, { exit, output }: ClientOutcome & { kind: 'failed' }): Error {
    this.context.logger.warn({ client: registry.client, package: spec, exit, output }, 'package could not be fetched')
    if (noSpace.test(output)) return diskFull(this.context.blobs.directory)
    return new SourceError(`${registry.client} failed (${exit}): ${explain(output)}`)
  }
}

const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|NewConnectionError|ConnectTimeout|ProxyError|Max retries exceeded/
const unknown = /No matching distribution|Could not find a version|E404|ETARGET|404 Not Found/
const refused = /E401|E403|401 Error|403 Error|Unauthorized|Forbidden/

/** A client tells of one failed connection in many words; they are in the log. */
const explain = (output: string): string => {
  if (unreachable.test(output)) return 'its registry cannot be reached; check the network, HTTPS_PROXY and its settings'
  if (refused.test(output)) return 'its registry refuses; check the credentials in its settings'
  if (unknown.test(output)) return 'its registry does not have this package for this machine'
  return 'the log has what it said'
}

interface Places {
  readonly directory: string
  readonly target: string
  readonly scratch: string
}

/** Bytes in the files below; what disappears while it is being measured counts nothing. */
const sizeOf = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) return sizeOf(path)
      return (await stat(path).catch(() => undefined))?.size ?? 0
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
