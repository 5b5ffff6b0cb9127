import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@sallyport/core'
import type { Environment } from '@sallyport/kit/installation'
import type { Cache } from '../cache.js'
import type { PackageSource } from '../planned-file.js'
import { diskFull, SourceError } from '../problems.js'
import { showTransfer } from '../progress.js'
import type { Progress } from '../progress.js'
import { clientEnvironment, runClient } from './client.js'
import { registries } from './registries.js'

export interface DownloadContext {
  readonly cache: Cache
  readonly logger: Logger
  readonly progress: Progress
  readonly environment: Environment
  /** The project's directory: npm reads its `.npmrc`. */
  readonly baseDirectory: string
}

/** How progress shows a package. */
interface TransferLabel {
  readonly label: string
  readonly size: number | undefined
}

const measureInterval = 400
const diskFullPattern = /ENOSPC|No space left on device|EDQUOT|Disk quota exceeded/i

/** The name of a package's lock and directory. */
export const packageKey = ({ kind, package: spec }: PackageSource): string =>
  `${kind}-${createHash('sha256').update(spec).digest('hex').slice(0, 32)}`

/** Fetches each package once for all files in it, and removes it in the end. */
export class PackageDownloads {
  private readonly archives = new Map<string, Promise<string>>()
  private readonly directories: string[] = []

  constructor(
    private readonly context: DownloadContext,
    private readonly signal: AbortSignal,
  ) {}

  /** The package on the disk. The caller holds its lock. @throws SourceError, insufficient_storage */
  archive(source: PackageSource, transfer: TransferLabel): Promise<string> {
    const key = packageKey(source)
    const archive = this.archives.get(key) ?? this.download(source, key, transfer)
    this.archives.set(key, archive)
    return archive
  }

  async dispose(): Promise<void> {
    for (const directory of this.directories) await rm(directory, { recursive: true, force: true })
  }

  private async download(source: PackageSource, key: string, transfer: TransferLabel): Promise<string> {
    const { kind, package: spec } = source
    const directory = await this.context.cache.packageDirectory(key)
    this.directories.push(directory)
    for (const name of ['target', 'scratch']) await mkdir(join(directory, name))
    await this.showGrowth(directory, transfer, this.runClients(kind, spec, directory))
    const { isArchive, title } = registries[kind]
    const name = (await readdir(join(directory, 'target'))).find(isArchive)
    if (name === undefined) throw new SourceError(`${title} gave no archive of this package`)
    return join(directory, 'target', name)
  }

  /** Shows the size of the directory while the work runs, since clients do not report their progress. */
  private async showGrowth(directory: string, { label, size }: TransferLabel, work: Promise<void>): Promise<void> {
    await showTransfer(this.context.progress.begin(label, size), async (transfer) => {
      let ended = false
      const measure = async () => {
        const bytes = await sizeOf(directory)
        if (!ended) transfer.update(Math.min(bytes, size ?? bytes))
      }
      const timer = setInterval(() => void measure(), measureInterval)
      await work.finally(() => {
        ended = true
        clearInterval(timer)
      })
    })
  }

  /** Runs the first client that is installed. */
  private async runClients(kind: PackageSource['kind'], spec: string, directory: string): Promise<void> {
    const { programs, args, variables, client, install } = registries[kind]
    const { environment, baseDirectory, logger, cache } = this.context
    const [target, scratch] = [join(directory, 'target'), join(directory, 'scratch')]
    const places = { TMPDIR: scratch, TEMP: scratch, TMP: scratch, PIP_REQUIRE_VIRTUALENV: '0' }
    for (const [program, ...first] of programs) {
      const outcome = await runClient({
        program,
        args: [...first, ...args(spec, target, scratch)],
        // Python imports from the working directory; npm reads the settings of the project there.
        cwd: kind === 'npm' ? baseDirectory : directory,
        environment: { ...clientEnvironment(environment, variables), ...places },
        signal: this.signal,
      })
      if (outcome === 'done') return
      if (outcome === 'not-installed') continue
      logger.warn({ client, package: spec, ...outcome }, 'package could not be fetched')
      if (diskFullPattern.test(outcome.output)) throw diskFull(cache.directory)
      throw new SourceError(`${client} failed (${outcome.exit}): ${describeFailure(outcome.output)}`)
    }
    throw new SourceError(`${client} is not installed; ${install}`)
  }
}

const unreachablePattern =
  /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|NewConnectionError|ConnectTimeout|ProxyError|Max retries exceeded/
const unknownPattern = /No matching distribution|Could not find a version|E404|ETARGET|404 Not Found/
const refusedPattern = /E401|E403|401 Error|403 Error|Unauthorized|Forbidden/

/** A short reason for a failure, since clients print pages about it; their output goes to the log. */
const describeFailure = (output: string): string => {
  if (unreachablePattern.test(output))
    return 'its registry cannot be reached; check the network, HTTPS_PROXY and its settings'
  if (refusedPattern.test(output)) return 'its registry refuses; check the credentials in its settings'
  if (unknownPattern.test(output)) return 'its registry does not have this package for this machine'
  return 'see its output in the log'
}

/** Bytes of all files below a directory; a file that disappears meanwhile counts nothing. */
const sizeOf = async (directory: string): Promise<number> => {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const found = await Promise.all(names.map((name) => stat(join(directory, name)).catch(() => undefined)))
  return found.reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0)
}
