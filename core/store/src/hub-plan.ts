/** Resolves a reference to a hub into files of a repository, by the pins or by asking the hub. */

import { didYouMean } from '@sallyport/kit/text'
import type { RequiredFiles, RequiredFile } from '@sallyport/core'
import { sha256Digest } from './digests.js'
import type { Hub } from './fetch/hub.js'
import type { Pin } from './lock-file.js'
import type { PlannedFile } from './planned-file.js'
import { describeRequired, modelFiles, notFetched, SourceError } from './problems.js'
import { hubText, partsOf } from './reference.js'
import type { HubReference } from './reference.js'

export interface HubPlan {
  readonly commit: string
  readonly files: readonly PlannedFile[]
  /** Optional files that the repository does not have. */
  readonly absent: readonly string[]
}

/** What is known of a repository, and who can be asked. */
export interface HubKnowledge {
  readonly pin: Pin | undefined
  /** Absent when the network may not be used. */
  readonly hub: (() => Promise<Hub>) | undefined
  readonly signal: AbortSignal
}

/** @throws model_files */
export const planHub = async (
  reference: HubReference,
  wanted: RequiredFiles | undefined,
  knowledge: HubKnowledge,
): Promise<HubPlan> => {
  const search = new HubSearch(reference, knowledge)
  const { repository } = reference
  const files: PlannedFile[] = []
  for (const [role, file] of Object.entries(await filesToFind(reference, wanted, search))) {
    const found = await search.first(file)
    if (found) {
      const source = { kind: 'hub', repository, commit: search.commit, member: found.name } as const
      files.push({ ...found, role, sources: [source] })
    } else if (!file.optional) {
      const problem = `the repository has no file ${describeRequired(role, file)}`
      throw modelFiles(hubText(reference), problem + (await search.suggestions(file.names[0])))
    }
  }
  return { commit: search.commit, files, absent: search.absent }
}

/** The files to look for: the named one with its parts, and what the backend needs beside it. */
const filesToFind = async (
  reference: HubReference,
  wanted: RequiredFiles | undefined,
  search: HubSearch,
): Promise<RequiredFiles> => {
  const { file } = reference
  if (file === undefined) {
    if (wanted?.model) return wanted
    throw modelFiles(hubText(reference), `names a repository but no file in it${await search.suggestions()}`)
  }
  const parts = partsOf(file, hubText(reference)).map((part, index) => [index ? part : 'model', { names: [part] }])
  return { ...wanted, ...(Object.fromEntries(parts) as RequiredFiles) }
}

/** Looks for files of one repository, all of them at one commit: the pinned one, or that of the first file found. */
export class HubSearch {
  readonly absent: string[] = []
  commit: string

  constructor(
    private readonly reference: HubReference,
    private readonly knowledge: HubKnowledge,
  ) {
    this.commit = knowledge.pin?.commit ?? ''
  }

  /** The first of a file's names that the repository has. @throws model_files where the hub cannot be asked */
  async first({ names }: RequiredFile): Promise<Pick<PlannedFile, 'name' | 'size' | 'digest'> | undefined> {
    for (const name of names) {
      const found = await this.find(name)
      if (found) return { name, ...found }
      this.absent.push(name)
    }
    return undefined
  }

  /** Whether the repository has each file that is not optional. @throws model_files where the hub cannot be asked */
  async hasAll(wanted: RequiredFiles): Promise<boolean> {
    for (const file of Object.values(wanted)) if (!file.optional && !(await this.first(file))) return false
    return true
  }

  /** The end of a message: a similar name, or all names in the repository. */
  async suggestions(name = ''): Promise<string> {
    const { hub, signal } = this.knowledge
    const { repository, revision } = this.reference
    const names = hub ? await (await hub()).names(repository, this.commit || revision, signal) : []
    return didYouMean(name, names.slice(0, 40))
  }

  private async find(name: string): Promise<Pick<PlannedFile, 'size' | 'digest'> | undefined> {
    const { pin, hub, signal } = this.knowledge
    const { repository, revision } = this.reference
    const pinned = pin?.files[name]
    if (pinned === 'absent') return undefined
    if (pinned) return { size: pinned.size, digest: sha256Digest(pinned.sha256) }
    // Messages name the reference, as the name of the file may be the backend's.
    const text = hubText(this.reference)
    if (!hub) throw notFetched(text)
    try {
      const described = await (await hub()).describe(repository, this.commit || revision, name, signal)
      if (!described) return undefined
      const { commit, ...facts } = described
      this.commit ||= commit
      return facts
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw modelFiles(text, `the hub ${error.message}`, error.cause)
    }
  }
}
