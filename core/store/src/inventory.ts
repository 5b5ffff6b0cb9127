import { append } from '@sallyport/kit/lists'
import { hashFile } from './digest.js'
import { filesOfEntry, filesOfPin, pinKey } from './planner.js'
import type { Planner } from './planner.js'
import type { PlannedFile } from './planned-file.js'
import { modelFiles } from './problems.js'
import { hubText } from './reference.js'
import type { HubReference } from './reference.js'
import type { Shelf } from './shelf.js'
import { deadLinks, removeDeadLinks } from './views.js'
import type { CatalogueEntry } from './catalogue.js'

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

/** How many files, and their bytes. */
export interface Amount {
  readonly files: number
  readonly bytes: number
}

export interface Removal extends Amount {
  /** What stays, because other models are made of it too. */
  readonly kept: Amount & { readonly for: readonly string[] }
}

/** What is in the cache, whether it is sound, and how to get rid of it. */
export class Inventory {
  constructor(
    private readonly planner: Planner,
    private readonly shelf: Shelf,
  ) {}

  async list(): Promise<readonly ListedModel[]> {
    return Promise.all(
      (await this.known()).map(async ({ reference, entry, files }) => {
        const there = (await Promise.all(files.map((file) => this.shelf.find(file)))).filter((found) => found)
        return {
          reference,
          ...(entry ? { entry } : {}),
          files: files.map(({ name }) => name),
          size: files.reduce((sum, { size }) => sum + (size ?? 0), 0),
          cached: there.length === files.length ? 'yes' : there.length ? 'partly' : 'no',
        }
      }),
    )
  }

  /**
   * Reads files through and compares them with their checksums.
   * @param references all that are cached when there are none
   * @throws model_files for a reference that stands for nothing known
   */
  async verify(references: readonly string[], signal?: AbortSignal): Promise<readonly VerifiedFile[]> {
    const chosen = references.length > 0
    const models = chosen ? await this.chosen(references) : await this.known()
    const verified: VerifiedFile[] = []
    for (const { reference, files } of models)
      for (const file of files) {
        const state = await this.stateOf(file, signal)
        if (chosen || state !== 'missing') verified.push({ reference, name: file.name, state })
      }
    return verified
  }

  /**
   * Removes the models' files from the cache; pins stay. What another cached model is made of stays, too, unless it is
   * damaged and of use to nobody.
   */
  async remove(references: readonly string[]): Promise<Removal> {
    const chosen = await this.chosen(references)
    const going = new Set(chosen.flatMap(({ files }) => files.map(({ digest }) => digest.hex)))
    const sizes = await this.shelf.blobs.list()
    const sharers = new Map<string, string[]>()
    for (const { reference, file } of await this.stillNeeded(chosen, going))
      if (sizes.has(file.digest.hex) && (await this.stateOf(file, undefined)) === 'good')
        sharers.set(file.digest.hex, [...(sharers.get(file.digest.hex) ?? []), reference])
    const removed = await this.removeBlobs([...going].filter((sha256) => !sharers.has(sha256)))
    const kept = amountOf([...sharers.keys()].map((sha256) => sizes.get(sha256) ?? 0))
    return { ...removed, kept: { ...kept, for: [...new Set([...sharers.values()].flat())] } }
  }

  /** Removes what neither the catalogue nor this project's lock file names; other projects may use it. */
  async removeUnused(): Promise<Removal> {
    return { ...(await this.removeBlobs(await this.unusedBlobs())), kept: { files: 0, bytes: 0, for: [] } }
  }

  /** What {@link removeUnused} would remove. */
  async unused(): Promise<Amount> {
    const sizes = await this.shelf.blobs.list()
    const blobs = (await this.unusedBlobs()).map((sha256) => sizes.get(sha256) ?? 0)
    return amountOf([...blobs, ...(await deadLinks(this.shelf.blobs)).sizes])
  }

  private async unusedBlobs(): Promise<string[]> {
    const used = new Set((await this.known()).flatMap(({ files }) => files.map(({ digest }) => digest.hex)))
    return [...(await this.shelf.blobs.list()).keys()].filter((sha256) => !used.has(sha256))
  }

  /**
   * The files, of those that are to go, of models that are cached: whole, or in part with something that does not go.
   * (Of a repository, what is pinned may have been removed in part.)
   */
  private async stillNeeded(chosen: readonly KnownModel[], going: ReadonlySet<string>): Promise<NeededFile[]> {
    const isChosen = new Set(chosen.flatMap(({ key, files }) => files.map(({ name }) => nameOf(key, name))))
    const needed: NeededFile[] = []
    for (const { reference, key, files } of await this.known()) {
      const others = files.filter(({ name }) => !isChosen.has(nameOf(key, name)))
      const found = await Promise.all(others.map((file) => this.shelf.find(file)))
      const there = others.filter((_, index) => found[index])
      if (there.length === others.length || there.some(({ digest }) => !going.has(digest.hex)))
        append(
          needed,
          there.filter(({ digest }) => going.has(digest.hex)).map((file) => ({ reference, file })),
        )
    }
    return needed
  }

  private async stateOf(file: PlannedFile, signal: AbortSignal | undefined): Promise<VerifiedFile['state']> {
    // A blob of the wrong size counts as missing when it is looked for, but here it is what is looked for.
    const blob = (await this.shelf.blobs.has(file.digest.hex, undefined)) ? file.digest.hex : undefined
    const found = blob === undefined ? await this.shelf.find(file) : { kind: 'blob' as const, sha256: blob }
    if (!found) return 'missing'
    const { sha256 } = await hashFile(this.shelf.pathOf(found), { signal })
    return sha256 === file.digest.hex ? 'good' : 'damaged'
  }

  private async removeBlobs(digests: readonly string[]): Promise<Amount> {
    const { blobs } = this.shelf
    const orphans = await removeDeadLinks(blobs)
    const sizes = await blobs.list()
    const there = digests.filter((sha256) => sizes.has(sha256))
    for (const sha256 of there) await blobs.remove(sha256)
    await removeDeadLinks(blobs)
    return amountOf([...orphans.sizes, ...there.map((sha256) => sizes.get(sha256) ?? 0)])
  }

  private async known(): Promise<readonly KnownModel[]> {
    const entries = [...(await this.planner.catalogue()).values()]
    const pins = Object.entries(await this.planner.pins())
    return [
      ...entries.map((entry) => ({ reference: entry.id, key: entry.id, entry, files: filesOfEntry(entry) })),
      ...pins.map(([key, pin]) => {
        const reference = referenceOf(key)
        return { reference: hubText(reference), key, entry: undefined, files: filesOfPin(reference, pin) }
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
        const key = reference.kind === 'hub' ? pinKey(reference) : reference.id
        return { reference: text, key, entry: undefined, files }
      }),
    )
  }
}

interface KnownModel {
  readonly reference: string
  /** Of its entry in the catalogue or in the lock file. */
  readonly key: string
  readonly entry: CatalogueEntry | undefined
  readonly files: readonly PlannedFile[]
}

/** A file that a model is made of, which is not to go. */
interface NeededFile {
  readonly reference: string
  readonly file: PlannedFile
}

const nameOf = (key: string, name: string): string => `${key} ${name}`

const amountOf = (sizes: readonly number[]): Amount => ({
  files: sizes.length,
  bytes: sizes.reduce((sum, size) => sum + size, 0),
})

const referenceOf = (key: string): HubReference => {
  const at = key.indexOf('@')
  return { kind: 'hub', repository: key.slice(0, at), revision: key.slice(at + 1), file: undefined }
}
