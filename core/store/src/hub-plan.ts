/** Finds out which files of a hub's repository a reference stands for: from the pins, or from the hub. */

import { didYouMean } from '@sallyport/kit/text'
import type { SallyportError, Wanted, WantedFile } from '@sallyport/core'
import { sha256Digest } from './digest.js'
import type { Digest } from './digest.js'
import type { Hub } from './fetch/hub.js'
import { SourceError } from './fetch/source-error.js'
import type { Pin } from './lock-file.js'
import type { PlannedFile } from './planned-file.js'
import { modelFiles } from './problems.js'
import { hubText, partsOf } from './reference.js'
import type { HubReference } from './reference.js'
import { describeWanted } from './wanted.js'

export interface HubPlan {
  readonly commit: string
  readonly files: readonly PlannedFile[]
  /** Optional files that the repository does not have. */
  readonly absent: readonly string[]
}

/** Where knowledge about the repository comes from. */
export interface HubKnowledge {
  readonly pin: Pin | undefined
  /** Absent when the network may not be used. */
  readonly hub: (() => Promise<Hub>) | undefined
  readonly signal: AbortSignal
}

interface Found {
  readonly name: string
  readonly size: number | undefined
  readonly digest: Digest
}

/** @throws model_files */
export const planHub = async (
  reference: HubReference,
  wanted: Wanted | undefined,
  knowledge: HubKnowledge,
): Promise<HubPlan> => {
  const search = new HubSearch(reference, knowledge)
  const files: PlannedFile[] = []
  for (const [role, file] of Object.entries(await requests(reference, wanted, search))) {
    const found = await search.first(role, file)
    if (found)
      files.push({
        ...found,
        role,
        sources: [{ kind: 'hub', repository: reference.repository, commit: search.commit, member: found.name }],
      })
  }
  return { commit: search.commit, files, absent: search.absent }
}

/** Whether the repository has each file that is not optional. @throws model_files where nobody can be asked */
export const hasWanted = async (reference: HubReference, wanted: Wanted, knowledge: HubKnowledge): Promise<boolean> => {
  const search = new HubSearch(reference, knowledge)
  for (const file of Object.values(wanted)) if (!file.optional && !(await search.any(file))) return false
  return true
}

/** What to look for: the named file with its parts, and what the backend wants beside it. */
const requests = async (reference: HubReference, wanted: Wanted | undefined, search: HubSearch): Promise<Wanted> => {
  const { file } = reference
  if (file === undefined) {
    if (wanted?.model) return wanted
    throw modelFiles(hubText(reference), `names a repository but no file in it${await search.suggestions()}`)
  }
  const parts = partsOf(file, hubText(reference)).map((part, index) => [
    index === 0 ? 'model' : part,
    { names: [part] },
  ])
  return { ...wanted, ...(Object.fromEntries(parts) as Wanted) }
}

class HubSearch {
  readonly absent: string[] = []
  private found: string | undefined

  constructor(
    private readonly reference: HubReference,
    private readonly knowledge: HubKnowledge,
  ) {
    this.found = knowledge.pin?.commit
  }

  /** Known as soon as a file was found. */
  get commit(): string {
    return this.found ?? ''
  }

  async first(role: string, wanted: WantedFile): Promise<Found | undefined> {
    const found = await this.any(wanted)
    if (found || wanted.optional) return found
    const problem = `the repository has no file ${describeWanted(role, wanted)}${await this.suggestions(wanted.names[0])}`
    throw modelFiles(hubText(this.reference), problem)
  }

  /** The first that is there. @throws model_files where nobody can be asked */
  async any({ names }: WantedFile): Promise<Found | undefined> {
    for (const name of names) {
      const found = await this.find(name)
      if (found) return found
      this.absent.push(name)
    }
    return undefined
  }

  /** The names of what there is, or those like the one that was named. */
  async suggestions(name?: string): Promise<string> {
    const { hub, signal } = this.knowledge
    const { repository, revision } = this.reference
    const names = hub ? await (await hub()).names(repository, this.found ?? revision, signal) : []
    return didYouMean(name ?? '', names.slice(0, 40))
  }

  private async find(name: string): Promise<Found | undefined> {
    const { pin, hub, signal } = this.knowledge
    const pinned = pin?.files[name]
    if (pinned === 'absent') return undefined
    if (pinned) return { name, size: pinned.size, digest: sha256Digest(pinned.sha256) }
    // As it was written: the names that are looked for may be the backend's.
    const text = hubText(this.reference)
    if (!hub) throw notFetched(text)
    try {
      const described = await (
        await hub()
      ).describe(this.reference.repository, this.found ?? this.reference.revision, name, signal)
      if (!described) return undefined
      this.found ??= described.commit
      return { name, size: described.size, digest: described.digest }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw modelFiles(text, `the hub ${error.message}`, error.cause)
    }
  }
}

/** The refusal of a model that would have to be fetched by a store that is offline. */
export const notFetched = (model: string, missing: readonly { readonly name: string }[] = []): SallyportError => {
  const names = missing.map(({ name }) => name).filter((name) => name !== model)
  const what = names.length ? `not in the cache: ${names.join(', ')}` : 'is not in the cache'
  const advice = `where there is a network, run: sallyport models pull ${model}`
  return modelFiles(model, `${what}; the store is offline; ${advice}`)
}
