import { didYouMean } from '@sallyport/kit/text'
import type { Wanted } from '@sallyport/core'
import { loadCatalogues } from './catalogue.js'
import type { Catalogue, CatalogueEntry } from './catalogue.js'
import { sha256Digest } from './digest.js'
import type { LockFile, Pin, Pins } from './lock-file.js'
import type { PlannedFile } from './planned-file.js'
import { modelFiles } from './problems.js'
import { parseReference } from './reference.js'
import type { HubReference, Reference } from './reference.js'
import { refuseOtherFormats } from './wanted.js'

/** What a backend asks of an entry. */
interface Needs {
  readonly wanted?: Wanted
  readonly formats?: readonly string[]
}

/** What references are known to stand for, without asking anybody: by the catalogues and the project's pins. */
export class Planner {
  private loading: Promise<Catalogue> | undefined

  constructor(
    private readonly catalogues: readonly string[],
    private readonly lockFile: LockFile,
    private readonly baseDirectory: string,
  ) {}

  /** @throws config_invalid */
  catalogue(): Promise<Catalogue> {
    return (this.loading ??= loadCatalogues(this.catalogues))
  }

  /** What the project has pinned. @throws config_invalid */
  pins(): Promise<Pins> {
    return this.lockFile.read()
  }

  /** @throws model_files */
  async parse(text: string): Promise<Reference> {
    const catalogue = await this.catalogue()
    if (catalogue.has(text)) return { kind: 'catalogue', id: text }
    const reference = parseReference(text, this.baseDirectory)
    if (reference.kind !== 'catalogue') return reference
    const guess = didYouMean(text, [...catalogue.keys()])
    const forms = 'file is written with a slash (./file), one of the hub as hf:owner/repository[/file]'
    throw modelFiles(text, `is not in the catalogue${guess}${guess.endsWith('?') ? ' A' : '; a'} ${forms}`)
  }

  /** @throws model_files when it is unknown, lacks what is wanted, or has weights of another format */
  async entry(id: string, { wanted = {}, formats }: Needs = {}): Promise<CatalogueEntry> {
    const entry = (await this.catalogue()).get(id)
    if (!entry) throw modelFiles(id, 'is not in the catalogue')
    for (const [role, { optional }] of Object.entries(wanted))
      if (!optional && !Object.hasOwn(entry.files, role))
        throw modelFiles(id, `its entry in the catalogue has no file "${role}", which the backend needs`)
    if (entry.files.model) refuseOtherFormats(id, entry.files.model.name, formats)
    return entry
  }

  /** The files of a reference: none for one to a hub that is not pinned. */
  async files(reference: Exclude<Reference, { kind: 'path' }>): Promise<readonly PlannedFile[]> {
    if (reference.kind === 'catalogue') return filesOfEntry(await this.entry(reference.id))
    const pin = (await this.pins())[pinKey(reference)]
    return pin ? filesOfPin(reference, pin) : []
  }
}

/** Under which a repository is pinned. */
export const pinKey = ({ repository, revision }: HubReference): string => `${repository}@${revision}`

export const filesOfEntry = (entry: CatalogueEntry): readonly PlannedFile[] =>
  Object.entries(entry.files).map(([role, { name, size, sha256, sources }]) => ({
    role,
    name,
    size,
    digest: sha256Digest(sha256),
    sources,
  }))

/** What is pinned of a repository, or of it the one file that is named. */
export const filesOfPin = ({ repository, file }: HubReference, { commit, files }: Pin): readonly PlannedFile[] =>
  Object.entries(files).flatMap(([name, pinned]) =>
    pinned === 'absent' || (file !== undefined && file !== name)
      ? []
      : {
          role: name === file ? 'model' : name,
          name,
          size: pinned.size,
          digest: sha256Digest(pinned.sha256),
          sources: [{ kind: 'hub', repository, commit, member: name }],
        },
  )
