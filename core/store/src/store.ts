import { join, resolve } from 'node:path'
import { silentLogger } from '@sallyport/core'
import type { Config, SallyportError, Logger, Wanted } from '@sallyport/core'
import { cacheDirectory } from '@sallyport/kit/installation'
import type { Environment } from '@sallyport/kit/installation'
import { BlobStore } from './blob-store.js'
import type { Fetcher } from './fetch/fetcher.js'
import type { Hub } from './fetch/hub.js'
import { hasWanted, notFetched, planHub } from './hub-plan.js'
import type { HubKnowledge, HubPlan } from './hub-plan.js'
import { Inventory } from './inventory.js'
import { LocalDigests, localFiles } from './local-files.js'
import { LockFile } from './lock-file.js'
import type { Pin, PinnedFile } from './lock-file.js'
import type { PlannedFile } from './planned-file.js'
import { filesOfEntry, pinKey, Planner } from './planner.js'
import { isOffline } from './offline.js'
import { modelFiles, shown } from './problems.js'
import { hubText, isCommit } from './reference.js'
import type { HubReference } from './reference.js'
import { Shelf } from './shelf.js'
import type { FoundFile } from './shelf.js'
import type { LocatedModel, ResolvedModel, ResolveOptions, StoreOptions } from './store-options.js'
import { arrange } from './views.js'
import { refuseOtherFormats } from './wanted.js'

/**
 * Turns references to models into local files: from the cache, or else from where the catalogue or the hub has them.
 *
 * A reference is an id of the catalogue, `hf:owner/repository[@revision][/file]`, or a path (with a slash in it, or
 * beginning with `~`).
 */
export class ModelStore {
  /** What is known, what is cached, whether it is sound. */
  readonly inventory: Inventory
  readonly planner: Planner
  private readonly shelf: Shelf
  private readonly lockFile: LockFile
  private readonly offline: boolean
  private readonly logger: Logger
  private readonly environment: Environment
  private readonly baseDirectory: string
  private opened: Promise<Hub> | undefined

  constructor(private readonly options: StoreOptions = {}) {
    const { environment = process.env, logger = silentLogger, baseDirectory = process.cwd() } = options
    const { home = cacheDirectory(environment) } = options
    const blobs = new BlobStore(home)
    this.environment = environment
    this.baseDirectory = baseDirectory
    this.logger = logger
    this.offline = (options.offline ?? false) || isOffline(environment)
    this.lockFile = new LockFile(options.lockFile ?? join(baseDirectory, 'sallyport.lock'), blobs)
    this.shelf = new Shelf(blobs, new LocalDigests(join(home, 'local')))
    this.planner = new Planner(options.catalogues ?? [], this.lockFile, baseDirectory)
    this.inventory = new Inventory(this.planner, this.shelf)
  }

  /** The store of a configuration, with the lock file beside it. */
  static fromConfig(
    { store, baseDirectory }: Pick<Config, 'store' | 'baseDirectory'>,
    { logger, progress = false }: { readonly logger?: Logger; readonly progress?: boolean } = {},
  ): ModelStore {
    return new ModelStore({
      catalogues: store.catalogues.map((file) => resolve(baseDirectory, file)),
      offline: store.offline,
      baseDirectory,
      ...(progress ? { progress: 'standard' } : {}),
      ...(logger ? { logger } : {}),
    })
  }

  /**
   * The model's files, fetched where they are not there.
   * @throws model_files, insufficient_storage, config_invalid
   */
  async resolve(text: string, options: ResolveOptions = {}): Promise<ResolvedModel> {
    const { wanted, update = false, signal } = options
    const reference = await this.planner.parse(text)
    if (reference.kind === 'path') return { files: await localFiles(reference.path, text, wanted) }
    if (reference.kind === 'hub') return this.resolveHub(requireFormat(reference, options), wanted, update, signal)
    const entry = await this.planner.entry(reference.id, options)
    return { files: await this.arrange(entry.id, await this.obtain(entry.id, filesOfEntry(entry), signal)), entry }
  }

  /** What is there, without using the network. @throws model_files for a reference that is malformed */
  async locate(text: string, options: Pick<ResolveOptions, 'wanted' | 'formats'> = {}): Promise<LocatedModel> {
    const { wanted } = options
    const reference = await this.planner.parse(text)
    if (reference.kind === 'path') return { files: await localFiles(reference.path, text, wanted), missing: [] }
    if (reference.kind === 'hub') return this.find(text, await this.pinned(requireFormat(reference, options), wanted))
    const entry = await this.planner.entry(reference.id, options)
    return { ...(await this.find(text, filesOfEntry(entry))), entry }
  }

  private async find(text: string, planned: readonly PlannedFile[]): Promise<LocatedModel> {
    if (!planned.length) return { files: {}, missing: [{ name: text }] }
    const looked = await Promise.all(planned.map(async (file) => ({ ...file, found: await this.shelf.find(file) })))
    const missing = looked.filter(({ found }) => !found)
    return {
      files: await this.arrange(
        text,
        looked.flatMap(({ found, ...file }) => (found ? [{ ...file, found }] : [])),
      ),
      missing: missing.map(({ name, size }) => (size === undefined ? { name } : { name, size })),
    }
  }

  /** Whether a repository of the hub has all that is not optional. @throws model_files where nobody can be asked */
  async has(reference: HubReference, wanted: Wanted, signal: AbortSignal): Promise<boolean> {
    return hasWanted(reference, wanted, this.knowledge((await this.planner.pins())[pinKey(reference)], signal))
  }

  /** Refuses a model of which something is missing where nothing can be fetched. @throws model_files */
  requireFetchable(text: string, { missing }: Pick<LocatedModel, 'missing'>): void {
    if (this.offline && missing.length) throw notFetched(text, missing)
  }

  private knowledge(pin: Pin | undefined, signal: AbortSignal): HubKnowledge {
    return { pin, hub: this.offline ? undefined : () => this.hub(), signal }
  }

  /** The files by what is pinned alone: none when that is not enough. */
  private async pinned(reference: HubReference, wanted: Wanted | undefined): Promise<readonly PlannedFile[]> {
    const pin = (await this.planner.pins())[pinKey(reference)]
    const { signal } = new AbortController()
    return planHub(reference, wanted, { pin, hub: undefined, signal }).then(
      ({ files }) => files,
      (error: unknown) => {
        if (reference.file === undefined && !wanted?.model) throw error
        return []
      },
    )
  }

  private async resolveHub(
    reference: HubReference,
    wanted: Wanted | undefined,
    update: boolean,
    signal = new AbortController().signal,
  ): Promise<ResolvedModel> {
    const pin = update ? undefined : (await this.planner.pins())[pinKey(reference)]
    const plan = await planHub(reference, wanted, this.knowledge(pin, signal))
    const label = hubText(reference)
    const files = await this.obtain(label, plan.files, signal)
    await this.pin(reference, pin, plan, files)
    return { files: await this.arrange(label, files) }
  }

  /** Finds the files, or else fetches them: those that are damaged, too. */
  private async obtain(
    model: string,
    planned: readonly PlannedFile[],
    signal: AbortSignal | undefined,
  ): Promise<readonly ObtainedFile[]> {
    const files = await Promise.all(
      planned.map(async (file) => ({ ...file, found: await this.findSound(model, file, signal) })),
    )
    const missing = files.filter(({ found }) => !found)
    const fetched = missing.length ? await this.fetch(model, missing, signal) : []
    const fromFetched = (file: PlannedFile) => fetched[missing.findIndex(({ role }) => role === file.role)] ?? ''
    return files.map((file) => ({ ...file, found: file.found ?? { kind: 'blob', sha256: fromFetched(file) } }))
  }

  /** @throws model_files for a damaged file that cannot be fetched */
  private async findSound(model: string, file: PlannedFile, signal?: AbortSignal): Promise<FoundFile | undefined> {
    const found = await this.shelf.find(file)
    if (found?.kind !== 'blob' || (await this.shelf.isSound(found.sha256, signal))) return found
    if (this.offline) throw damaged(model, file)
    this.logger.warn(
      { model, file: file.name },
      'a file is damaged in the cache, its checksum is wrong: fetching it again',
    )
    await this.shelf.blobs.remove(found.sha256)
    return undefined
  }

  private async fetch(model: string, missing: readonly PlannedFile[], signal?: AbortSignal): Promise<string[]> {
    if (this.offline) throw notFetched(model, missing)
    const files = missing.map(async (file) => ({
      ...file,
      model,
      sources: file.sources.filter((source) => source.kind !== 'path'),
      tried: await this.shelf.problems(file),
    }))
    const fetched = await (await this.fetcher()).fetch(await Promise.all(files), signal)
    for (const sha256 of fetched) await this.shelf.noteSound(sha256)
    return fetched
  }

  /** What only fetching needs is imported when something is fetched: the usual start finds everything there. */
  private async fetcher(): Promise<Fetcher> {
    const { Fetcher } = await import('./fetch/fetcher.js')
    const { silentProgress, standardProgress } = await import('./progress/index.js')
    const { environment, baseDirectory, logger } = this
    const { progress = silentProgress, retryDelay = 500 } = this.options
    return new Fetcher({
      blobs: this.shelf.blobs,
      logger,
      progress: progress === 'standard' ? standardProgress() : progress,
      environment,
      baseDirectory,
      retryDelay,
      hub: () => this.hub(),
    })
  }

  private hub(): Promise<Hub> {
    return (this.opened ??= import('./fetch/hub.js').then(({ openHub }) => openHub(this.environment)))
  }

  private async arrange(label: string, files: readonly ObtainedFile[]): Promise<Record<string, string>> {
    const paths = await arrange(this.shelf.blobs, label, files)
    return Object.fromEntries(files.map(({ role }, index) => [role, paths[index] ?? '']))
  }

  private async pin(
    reference: HubReference,
    known: Pin | undefined,
    { commit, absent }: HubPlan,
    obtained: readonly ObtainedFile[],
  ): Promise<void> {
    const files: Record<string, PinnedFile> = Object.fromEntries(absent.map((name) => [name, 'absent']))
    for (const { name, found } of obtained)
      if (found.kind === 'blob') files[name] = { size: await this.shelf.blobs.size(found.sha256), sha256: found.sha256 }
    if (known && Object.keys(files).every((name) => known.files[name] !== undefined)) return
    try {
      await this.lockFile.add(pinKey(reference), { commit, files })
    } catch (err) {
      // A commit stands for the same files for ever, pinned or not.
      if (!isCommit(reference.revision)) throw err
      this.logger.warn({ reference: hubText(reference), err }, 'the lock file cannot be written')
    }
  }
}

const damaged = (model: string, { name, digest }: PlannedFile): SallyportError =>
  modelFiles(
    model,
    `its file ${shown(name)} is damaged in the cache (expected ${digest.algorithm} ${digest.hex}), and nothing may be ` +
      'fetched while offline: start once with access to its source, or copy the file from another cache',
  )

/** @throws model_files */
const requireFormat = (reference: HubReference, { formats }: Pick<ResolveOptions, 'formats'>): HubReference => {
  if (reference.file !== undefined) refuseOtherFormats(hubText(reference), reference.file, formats)
  return reference
}

interface ObtainedFile extends PlannedFile {
  readonly found: FoundFile
}
