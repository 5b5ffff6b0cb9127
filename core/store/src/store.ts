import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { silentLogger } from '@sallyport/core'
import type { Config, Logger, RequiredFiles } from '@sallyport/core'
import { cacheDirectory } from '@sallyport/kit/installation'
import type { Environment } from '@sallyport/kit/installation'
import { Cache } from './cache.js'
import type { LocalFile } from './cache.js'
import type { Hub } from './fetch/hub.js'
import { HubSearch, planHub } from './hub-plan.js'
import type { HubKnowledge, HubPlan } from './hub-plan.js'
import { Inventory } from './inventory.js'
import { localFiles } from './local-files.js'
import { LockFile } from './lock-file.js'
import type { Pin, PinnedFile } from './lock-file.js'
import type { PlannedFile } from './planned-file.js'
import { filesOfEntry, pinKey, Planner } from './planner.js'
import { modelFiles, notFetched, printable } from './problems.js'
import { hubText, isCommit } from './reference.js'
import type { HubReference } from './reference.js'
import { isOffline } from './store-options.js'
import type { LocatedModel, ResolvedModel, ResolveOptions, StoreOptions } from './store-options.js'
import type { CatalogueEntry } from './catalogue.js'
import { linkFiles } from './model-directories.js'

type LocatedFile = PlannedFile & { readonly found: LocalFile }

/**
 * Turns references to models into local files: from the cache, or else from where the catalogue or the hub has them.
 *
 * A reference is an id of the catalogue, `hf:owner/repository[@revision][/file]`, or a path (with a slash in it, or
 * beginning with `~`).
 */
export class ModelStore {
  /** Lists, verifies and removes models. */
  readonly inventory: Inventory
  readonly planner: Planner
  private readonly cache: Cache
  private readonly lockFile: LockFile
  private readonly offline: boolean
  private readonly logger: Logger
  private readonly environment: Environment
  private readonly baseDirectory: string
  private opened: Promise<Hub> | undefined

  constructor(private readonly options: StoreOptions = {}) {
    const { environment = process.env, logger = silentLogger, baseDirectory = process.cwd() } = options
    this.environment = environment
    this.baseDirectory = baseDirectory
    this.logger = logger
    this.offline = (options.offline ?? false) || isOffline(environment)
    this.cache = new Cache(options.home ?? cacheDirectory(environment))
    this.lockFile = new LockFile(options.lockFile ?? join(baseDirectory, 'sallyport.lock'), this.cache)
    this.planner = new Planner(options.catalogues ?? [], this.lockFile, baseDirectory)
    this.inventory = new Inventory(this.planner, this.cache)
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

  /** The model's files; missing ones are fetched. @throws model_files, insufficient_storage, config_invalid */
  async resolve(text: string, options: ResolveOptions = {}): Promise<ResolvedModel> {
    const { wanted, formats, update = false } = options
    const { signal = new AbortController().signal, onProgress } = options
    const reference = await this.planner.parse(text, formats)
    if (reference.kind === 'path') return { files: await localFiles(reference.path, text, wanted) }
    if (reference.kind === 'catalogue') {
      const entry = await this.planner.entry(reference.id, options)
      const obtained = await this.obtain(entry.id, filesOfEntry(entry), signal, onProgress)
      return { files: await linkFiles(this.cache, entry.id, obtained), catalogueEntry: entry }
    }
    const pin = update ? undefined : await this.planner.pin(reference)
    const plan = await planHub(reference, wanted, this.knowledge(pin, signal))
    const obtained = await this.obtain(hubText(reference), plan.files, signal, onProgress)
    await this.pin(reference, pin, plan, obtained)
    return { files: await linkFiles(this.cache, hubText(reference), obtained) }
  }

  /** The files that are on this machine, without the network. @throws model_files for a malformed reference */
  async locate(text: string, options: Pick<ResolveOptions, 'wanted' | 'formats'> = {}): Promise<LocatedModel> {
    const { wanted, formats } = options
    const reference = await this.planner.parse(text, formats)
    if (reference.kind === 'path') return { files: await localFiles(reference.path, text, wanted), missing: [] }
    if (reference.kind === 'hub') return this.find(text, await this.pinned(reference, wanted))
    const entry = await this.planner.entry(reference.id, options)
    return { ...(await this.find(text, filesOfEntry(entry))), catalogueEntry: entry }
  }

  /** What the catalogue, the pins and the directory say of a model: no file of it is read. @throws model_files */
  async describe(
    text: string,
    options: Pick<ResolveOptions, 'wanted' | 'formats'> = {},
  ): Promise<{ readonly digests: readonly string[]; readonly catalogueEntry?: CatalogueEntry } | undefined> {
    const { wanted, formats } = options
    const reference = await this.planner.parse(text, formats)
    if (reference.kind === 'path') return { digests: await marksOf(await localFiles(reference.path, text, wanted)) }
    const catalogueEntry = reference.kind === 'catalogue' ? await this.planner.entry(reference.id, options) : undefined
    const files = await this.planner.files(reference)
    if (!files.length) return undefined
    return { digests: files.map(({ digest }) => digest.hex), ...(catalogueEntry && { catalogueEntry }) }
  }

  private async find(text: string, planned: readonly PlannedFile[]): Promise<LocatedModel> {
    if (!planned.length) return { files: {}, missing: [{ name: text }] }
    const looked = await Promise.all(planned.map(async (file) => ({ ...file, found: await this.cache.find(file) })))
    const there = looked.filter((file): file is LocatedFile => file.found !== undefined)
    const missing = looked.filter(({ found }) => !found)
    return {
      files: await linkFiles(this.cache, text, there),
      missing: missing.map(({ name, size }) => (size === undefined ? { name } : { name, size })),
    }
  }

  /** Whether a repository of the hub has all that is not optional. @throws model_files where the hub cannot be asked */
  async has(reference: HubReference, wanted: RequiredFiles, signal: AbortSignal): Promise<boolean> {
    const knowledge = this.knowledge(await this.planner.pin(reference), signal)
    return new HubSearch(reference, knowledge).hasAll(wanted)
  }

  /** Refuses a model of which something is missing where nothing can be fetched. @throws model_files */
  requireFetchable(text: string, { missing }: Pick<LocatedModel, 'missing'>): void {
    if (this.offline && missing.length) throw notFetched(text, missing)
  }

  private knowledge(pin: Pin | undefined, signal: AbortSignal): HubKnowledge {
    return { pin, hub: this.offline ? undefined : () => this.hub(), signal }
  }

  /** The files that the pins name; none where the pins do not have all. */
  private async pinned(reference: HubReference, wanted: RequiredFiles | undefined): Promise<readonly PlannedFile[]> {
    const { signal } = new AbortController()
    try {
      const knowledge = { pin: await this.planner.pin(reference), hub: undefined, signal }
      return (await planHub(reference, wanted, knowledge)).files
    } catch (error) {
      if (reference.file === undefined && !wanted?.model) throw error
      return []
    }
  }

  /** Finds the files, and fetches missing and damaged ones. */
  private async obtain(
    model: string,
    planned: readonly PlannedFile[],
    signal: AbortSignal,
    onProgress: ResolveOptions['onProgress'],
  ): Promise<LocatedFile[]> {
    const found = await Promise.all(planned.map((file) => this.findIntact(model, file, signal)))
    const missing = planned.filter((_, index) => !found[index])
    const fetched = missing.length ? await this.fetch(model, missing, signal, onProgress) : []
    return planned.map((file, index) => ({
      ...file,
      found: found[index] ?? this.cache.blob(fetched[missing.indexOf(file)] ?? ''),
    }))
  }

  /** @throws model_files for a damaged file that cannot be fetched */
  private async findIntact(model: string, file: PlannedFile, signal: AbortSignal): Promise<LocalFile | undefined> {
    const found = await this.cache.find(file)
    if (found?.blob === undefined || (await this.cache.isIntact(found.blob, signal))) return found
    const { name, digest } = file
    if (this.offline)
      throw modelFiles(
        model,
        `its file ${printable(name)} is damaged in the cache (expected ${digest.algorithm} ${digest.hex}), and nothing may ` +
          'be fetched while offline: start once with access to its source, or copy the file from another cache',
      )
    this.logger.warn({ model, file: name }, 'a file is damaged in the cache, its checksum is wrong: fetching it again')
    await this.cache.remove(found.blob)
    return undefined
  }

  /** Modules for fetching are imported here, since most starts find all files and fetch nothing. */
  private async fetch(
    model: string,
    missing: readonly PlannedFile[],
    signal: AbortSignal,
    onProgress: ResolveOptions['onProgress'],
  ): Promise<string[]> {
    if (this.offline) throw notFetched(model, missing)
    const { fetchFiles } = await import('./fetch/fetcher.js')
    const { reportedProgress, silentProgress, standardProgress } = await import('./progress.js')
    const { cache, environment, baseDirectory, logger } = this
    const { progress: wanted = silentProgress, retryDelay = 500 } = this.options
    const total = missing.reduce<number | undefined>(
      (sum, { size }) => (sum !== undefined && size ? sum + size : undefined),
      0,
    )
    const shown = wanted === 'standard' ? standardProgress() : wanted
    const progress = reportedProgress(shown, (arrived) => onProgress?.(arrived, total))
    const context = { cache, logger, progress, environment, baseDirectory, retryDelay, hub: () => this.hub() }
    return fetchFiles(model, missing, context, signal)
  }

  private hub(): Promise<Hub> {
    return (this.opened ??= import('./fetch/hub.js').then(({ openHub }) => openHub(this.environment)))
  }

  private async pin(
    reference: HubReference,
    known: Pin | undefined,
    { commit, absent }: HubPlan,
    obtained: readonly LocatedFile[],
  ): Promise<void> {
    const blobs = obtained.flatMap(({ name, found: { blob } }) => (blob === undefined ? [] : [{ name, blob }]))
    const names = [...absent, ...blobs.map(({ name }) => name)]
    if (known && names.every((name) => known.files[name] !== undefined)) return
    const sizes = await this.cache.list()
    const files: Record<string, PinnedFile> = Object.fromEntries(absent.map((name) => [name, 'absent']))
    for (const { name, blob } of blobs) files[name] = { size: sizes.get(blob)?.size ?? 0, sha256: blob }
    try {
      await this.lockFile.add(pinKey(reference), { commit, files })
    } catch (err) {
      // A commit always has the same files, so it need not be pinned.
      if (!isCommit(reference.revision)) throw err
      this.logger.warn({ reference: hubText(reference), err }, 'the lock file cannot be written')
    }
  }
}

/** What changes with the content of files, as a rule: path, size and time. */
const marksOf = (files: Readonly<Record<string, string>>): Promise<string[]> =>
  Promise.all(
    Object.values(files).map(async (path) => {
      const { size, mtimeMs } = await stat(path)
      return `${path} ${size} ${mtimeMs}`
    }),
  )
