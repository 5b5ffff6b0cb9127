import type { Cache } from './cache.js'
import type { CatalogueEntry } from './catalogue.js'
import { hashFile } from './digests.js'
import { filesOfEntry, filesOfPin, pinKey } from './planner.js'
import type { Planner } from './planner.js'
import type { PlannedFile } from './planned-file.js'
import { modelFiles } from './problems.js'
import { hubText } from './reference.js'
import { deadLinks, removeDeadLinks, sizesOf } from './model-directories.js'

/** A model of the catalogue, or a pinned repository of a hub. */
export interface ListedModel {
  readonly reference: string
  readonly entry?: CatalogueEntry
  /** Bytes of all its files. */
  readonly size: number
  readonly cached: 'yes' | 'partly' | 'no'
  /** Names of its files; of a repository, as far as they are pinned. */
  readonly files: readonly string[]
}

export interface VerifiedFile {
  readonly reference: string
  readonly name: string
  readonly state: 'good' | 'damaged' | 'missing'
}

/** A number of files, and their size. */
export interface Amount {
  readonly files: number
  readonly bytes: number
}

interface Removal extends Amount {
  /** Files that stay because other models share them. */
  readonly kept: Amount & { readonly for: readonly string[] }
}

interface KnownModel {
  readonly reference: string
  /** The id in the catalogue, or the key in the lock file. */
  readonly key: string
  readonly entry?: CatalogueEntry
  readonly files: readonly PlannedFile[]
}

/** Lists, verifies and removes the models of the cache. */
export class Inventory {
  constructor(
    private readonly planner: Planner,
    private readonly cache: Cache,
  ) {}

  async list(): Promise<readonly ListedModel[]> {
    return Promise.all(
      (await this.knownModels()).map(async ({ reference, entry, files }) => {
        const { length } = await this.cachedOf(files)
        return {
          reference,
          ...(entry && { entry }),
          files: files.map(({ name }) => name),
          size: files.reduce((sum, { size }) => sum + (size ?? 0), 0),
          cached: length === files.length ? 'yes' : length ? 'partly' : 'no',
        }
      }),
    )
  }

  /** Compares files of models with their checksums; without references, of all cached models. @throws model_files */
  async verify(references: readonly string[], signal?: AbortSignal): Promise<readonly VerifiedFile[]> {
    const select = references.length > 0
    const verified: VerifiedFile[] = []
    for (const { reference, files } of select ? await this.chosen(references) : await this.knownModels())
      for (const file of files) {
        const state = await this.stateOf(file, signal)
        if (select || state !== 'missing') verified.push({ reference, name: file.name, state })
      }
    return verified
  }

  /** Removes the models' files from the cache but for intact ones that another cached model shares; pins stay. */
  async remove(references: readonly string[]): Promise<Removal> {
    const chosen = await this.chosen(references)
    const targets = new Set(digestsOf(chosen))
    const blobs = await this.cache.list()
    const kept = new Map<string, number>()
    const others = new Set<string>()
    for (const { reference, file } of await this.shared(chosen, targets)) {
      const blob = blobs.get(file.digest.hex)
      if (!blob || (await this.stateOf(file)) !== 'good') continue
      kept.set(file.digest.hex, blob.size)
      others.add(reference)
    }
    const removed = await this.removeBlobs([...targets].filter((sha256) => !kept.has(sha256)))
    return { ...removed, kept: { ...amountOf([...kept.values()]), for: [...others] } }
  }

  /** Removes files that neither the catalogue nor this project's lock file names; other projects may use them. */
  async removeUnused(): Promise<Removal> {
    return { ...(await this.removeBlobs(await this.unusedBlobs())), kept: { files: 0, bytes: 0, for: [] } }
  }

  /** What {@link removeUnused} would remove. */
  async unused(): Promise<Amount> {
    const blobs = await this.cache.list()
    const sizes = (await this.unusedBlobs()).map((sha256) => blobs.get(sha256)?.size ?? 0)
    return amountOf([...sizes, ...sizesOf(await deadLinks(this.cache))])
  }

  private async unusedBlobs(): Promise<string[]> {
    const used = new Set(digestsOf(await this.knownModels()))
    return [...(await this.cache.list()).keys()].filter((sha256) => !used.has(sha256))
  }

  /**
   * The files to be removed that other cached models share. A model counts as cached when all its other files are
   * there, or at least one that is not to be removed, since a repository may have been removed in part.
   */
  private async shared(chosen: readonly KnownModel[], targets: ReadonlySet<string>) {
    const chosenFiles = new Set(chosen.flatMap(({ key, files }) => files.map(({ name }) => `${key} ${name}`)))
    const isTarget = ({ digest }: PlannedFile) => targets.has(digest.hex)
    const shared = (await this.knownModels()).map(async ({ reference, key, files }) => {
      const others = files.filter(({ name }) => !chosenFiles.has(`${key} ${name}`))
      const cached = await this.cachedOf(others)
      const isCached = cached.length === others.length || !cached.every(isTarget)
      return isCached ? cached.filter(isTarget).map((file) => ({ reference, file })) : []
    })
    return (await Promise.all(shared)).flat()
  }

  private async cachedOf(files: readonly PlannedFile[]): Promise<readonly PlannedFile[]> {
    const found = await Promise.all(files.map((file) => this.cache.find(file)))
    return files.filter((_, index) => found[index])
  }

  private async stateOf(file: PlannedFile, signal?: AbortSignal): Promise<VerifiedFile['state']> {
    const { hex } = file.digest
    // The lookup of a file takes a blob of the wrong size for missing, but here it is damaged.
    const found = (await this.cache.has(hex)) ? this.cache.blob(hex) : await this.cache.find(file)
    if (!found) return 'missing'
    return (await hashFile(found.path, { signal })).sha256 === hex ? 'good' : 'damaged'
  }

  private async removeBlobs(digests: readonly string[]): Promise<Amount> {
    const sizes = await removeDeadLinks(this.cache)
    const blobs = await this.cache.list()
    for (const sha256 of digests.filter((each) => blobs.has(each))) {
      sizes.push(blobs.get(sha256)?.size ?? 0)
      await this.cache.remove(sha256)
    }
    await removeDeadLinks(this.cache)
    return amountOf(sizes)
  }

  private async knownModels(): Promise<readonly KnownModel[]> {
    const entries = [...(await this.planner.catalogue()).values()]
    const pins = Object.entries(await this.planner.pins())
    return [
      ...entries.map((entry) => ({ reference: entry.id, key: entry.id, entry, files: filesOfEntry(entry) })),
      ...pins.map(([key, pin]) => {
        const [repository = '', ...revision] = key.split('@')
        const reference = { kind: 'hub', repository, revision: revision.join('@'), file: undefined } as const
        return { reference: hubText(reference), key, files: filesOfPin(reference, pin) }
      }),
    ]
  }

  private async chosen(references: readonly string[]): Promise<readonly KnownModel[]> {
    return Promise.all(
      references.map(async (text) => {
        const reference = await this.planner.parse(text)
        if (reference.kind === 'path') throw modelFiles(text, 'is a file of yours, which the cache knows nothing of')
        const files = await this.planner.files(reference)
        if (!files.length) throw modelFiles(text, 'is not pinned in the lock file of this project')
        return { reference: text, key: reference.kind === 'hub' ? pinKey(reference) : reference.id, files }
      }),
    )
  }
}

const digestsOf = (models: readonly KnownModel[]): string[] =>
  models.flatMap(({ files }) => files.map(({ digest }) => digest.hex))

const amountOf = (sizes: readonly number[]): Amount => ({
  files: sizes.length,
  bytes: sizes.reduce((sum, size) => sum + size, 0),
})
