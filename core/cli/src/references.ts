import { configError } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { isSallyportError } from '@sallyport/core'
import type { Config, ModelEntry, BackendDefinition } from '@sallyport/core'
import { findBackend, fileRequest } from '@sallyport/kernel'
import type { LoadedPlugin } from '@sallyport/kernel'
import type { ModelStore } from '@sallyport/store'

/** Refuses references that cannot work: misspelt ids, paths without a file. @throws config_invalid with all of them */
export const checkReferences = async (
  config: Config,
  plugins: readonly LoadedPlugin[],
  store: ModelStore,
): Promise<void> => {
  const checked = Object.entries(config.models).map(async ([id, entry]): Promise<Problem[]> => {
    const { backend } = findBackend(plugins, entry.backend) ?? {}
    if (!backend || backend.files === 'none') return []
    const problem = await problemOf(entry.source ?? id, backend, store)
    return problem === undefined ? [] : [referenceProblem(id, entry, problem)]
  })
  const problems = (await Promise.all(checked)).flat()
  if (problems.length) throw configError(problems, config.where)
}

/** What is wrong with a model's files, at the place that names them: its source, or its own name. */
const referenceProblem = (id: string, { source }: ModelEntry, problem: string): Problem =>
  source === undefined
    ? { path: ['models', id], part: 'key', problem }
    : { path: ['models', id, 'source'], problem: `"${source}": ${problem}` }

const problemOf = async (text: string, backend: BackendDefinition, store: ModelStore): Promise<string | undefined> => {
  try {
    const request = fileRequest(backend)
    const reference = await store.planner.parse(text)
    // Locating an entry of the catalogue would read its files on this machine through, to compare their checksums.
    if (reference.kind === 'catalogue') await store.planner.entry(reference.id, request)
    else await store.locate(text, request)
    return undefined
  } catch (error) {
    if (isSallyportError(error) && error.code === 'model_files') return String(error.details['problem'])
    throw error
  }
}
