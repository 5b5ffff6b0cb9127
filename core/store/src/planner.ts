import { didYouMean } from '@sallyport/kit/text'
import type { RequiredFiles } from '@sallyport/core'
import { loadCatalogues } from './catalogue.js'
import type { Catalogue, CatalogueEntry } from './catalogue.js'
import { sha256Digest } from './digests.js'
import type { LockFile, Pin, Pins } from './lock-file.js'
import type { PlannedFile } from './planned-file.js'
import { modelFiles, refuseOtherFormats } from './problems.js'
import { hubText, parseReference } from './reference.js'
import type { HubReference, Reference } from './reference.js'

/** What a backend requires of an entry. */
interface Requirements {
  readonly wanted?: RequiredFiles
  readonly formats?: readonly string[]
}

/** Resolves references offline, by the catalogues and the project's pins. */
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

  async pin(reference: HubReference): Promise<Pin | undefined> {
    return (await this.pins())[pinKey(reference)]
  }

  /** @param formats that the weights of a reference to a hub may have. @throws model_files */
  async parse(text: string, formats?: readonly string[]): Promise<Reference> {
    const catalogue = await this.catalogue()
    if (catalogue.has(text)) return { kind: 'catalogue', id: text }
    const reference = parseReference(text, this.baseDirectory)
    if (reference.kind === 'hub' && reference.file !== undefined)
      refuseOtherFormats(hubText(reference), reference.file, formats)
    if (reference.kind !== 'catalogue') return reference
    const guess = didYouMean(text, [...catalogue.keys()])
    const forms = 'file is written with a slash (./file), one of the hub as hf:owner/repository[/file]'
    throw modelFiles(text, `is not in the catalogue${guess}${guess.endsWith('?') ? ' A' : '; a'} ${forms}`)
  }

  /** @throws model_files when it is unknown, lacks what is wanted, or has weights of another format */
  async entry(id: string, { wanted = {}, formats }: Requirements = {}): Promise<CatalogueEntry> {
    const entry = (await this.catalogue()).get(id)
    if (!entry) throw modelFiles(id, 'is not in the catalogue')
    for (const [role, { optional }] of Object.entries(wanted))
      if (!optional && !Object.hasOwn(entry.files, role))
        throw modelFiles(id, `its entry in the catalogue has no file "${role}", which the backend needs`)
    if (entry.files.model) refuseOtherFormats(id, entry.files.model.name, formats)
    return entry
  }

  /** The files of a reference; none for a repository that is not pinned. */
  async files(reference: Exclude<Reference, { kind: 'path' }>): Promise<readonly PlannedFile[]> {
    if (reference.kind === 'catalogue') return filesOfEntry(await this.entry(reference.id))
    const pin = await this.pin(reference)
    return pin ? filesOfPin(reference, pin) : []
  }
}

/** The key under which a repository is pinned. */
export const pinKey = ({ repository, revision }: HubReference): string => `${repository}@${revision}`

export const filesOfEntry = ({ files }: CatalogueEntry): readonly PlannedFile[] =>
  Object.entries(files).map(([role, { sha256, ...file }]) => ({ role, ...file, digest: sha256Digest(sha256) }))

/** The pinned files of a repository, or only the one that the reference names. */
export const filesOfPin = ({ repository, file }: HubReference, { commit, files }: Pin): readonly PlannedFile[] =>
  Object.entries(files).flatMap(([name, pinned]) => {
    if (pinned === 'absent' || (file !== undefined && file !== name)) return []
    const sources = [{ kind: 'hub', repository, commit, member: name } as const]
    return { role: file ? 'model' : name, name, size: pinned.size, digest: sha256Digest(pinned.sha256), sources }
  })
