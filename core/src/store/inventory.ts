import { hashFile } from './digest.js'
import { filesOfEntry, filesOfPin } from './planner.js'
import type { Planner } from './planner.js'
import type { PlannedFile } from './planned-file.js'
import { modelFiles } from './problems.js'
import { hubText } from './reference.js'
import type { HubReference } from './reference.js'
import type { Shelf } from './shelf.js'
import { removeDeadLinks } from './views.js'
import type { CatalogueEntry } from './catalogue.js'

/** A model of the catalogue, or a pinned repository of a hub. */
export interface ListedModel {
  readonly reference: string
  readonly entry?: CatalogueEntry
  /** Bytes of all its files. */
  readonly size: number
  readonly cached: 'yes' | 'partly' | 'no'
}

export interface VerifiedFile {
  readonly reference: string
  readonly name: string
  readonly state: 'good' | 'damaged' | 'missing'
}

export interface Removal {
  readonly files: number
  readonly bytes: number
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

  /** Removes the models' files from the cache, those that other models use too included; pins stay. */
  async remove(references: readonly string[]): Promise<Removal> {
    const files = (await this.chosen(references)).flatMap((model) => model.files)
    return this.removeBlobs(files.map(({ digest }) => digest.hex))
  }

  /** Removes what neither the catalogue nor this project's lock file names; other projects may use it. */
  async removeUnused(): Promise<Removal> {
    const used = new Set((await this.known()).flatMap(({ files }) => files.map(({ digest }) => digest.hex)))
    const there = [...(await this.shelf.blobs.list()).keys()]
    return this.removeBlobs(there.filter((sha256) => !used.has(sha256)))
  }

  private async stateOf(file: PlannedFile, signal: AbortSignal | undefined): Promise<VerifiedFile['state']> {
    // A blob of the wrong size counts as missing when it is looked for, but here it is what is looked for.
    const blob = (await this.shelf.blobs.has(file.digest.hex, undefined)) ? file.digest.hex : undefined
    const found = blob === undefined ? await this.shelf.find(file) : { kind: 'blob' as const, sha256: blob }
    if (!found) return 'missing'
    const { sha256 } = await hashFile(this.shelf.pathOf(found), { signal })
    return sha256 === file.digest.hex ? 'good' : 'damaged'
  }

  private async removeBlobs(digests: readonly string[]): Promise<Removal> {
    const { blobs } = this.shelf
    const sizes = await blobs.list()
    const there = [...new Set(digests)].filter((sha256) => sizes.has(sha256))
    for (const sha256 of there) await blobs.remove(sha256)
    await removeDeadLinks(blobs)
    return { files: there.length, bytes: there.reduce((sum, sha256) => sum + (sizes.get(sha256) ?? 0), 0) }
  }

  private async known(): Promise<readonly KnownModel[]> {
    const entries = [...(await this.planner.catalogue()).values()]
    const pins = Object.entries(await this.planner.pins())
    return [
      ...entries.map((entry) => ({ reference: entry.id, entry, files: filesOfEntry(entry) })),
      ...pins.map(([key, pin]) => {
        const reference = referenceOf(key)
        return { reference: hubText(reference), entry: undefined, files: filesOfPin(reference, pin) }
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
        return { reference: text, entry: undefined, files }
      }),
    )
  }
}

interface KnownModel {
  readonly reference: string
  readonly entry: CatalogueEntry | undefined
  readonly files: readonly PlannedFile[]
}

const referenceOf = (key: string): HubReference => {
  const at = key.indexOf('@')
  return { kind: 'hub', repository: key.slice(0, at), revision: key.slice(at + 1), file: undefined }
}
