/** Errors of plugins about options, with the place where these are written. */

import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { failure, isSallyportError } from '@sallyport/core'
import type { Config, ModelEntry } from '@sallyport/core'

/**
 * What a model's backend or its files failed with: `config.yaml:7:12: model guard: …`.
 * @returns the error itself where it is no such one, or nobody knows where the configuration is written
 */
export const placedModelError = (error: unknown, id: string, { source }: ModelEntry, { where }: Config): unknown => {
  if (!isSallyportError(error) || (error.code !== 'model_invalid' && error.code !== 'model_files')) return error
  const { option, ...details } = error.details as { model: string; problem: string; option?: Path; where?: string }
  const model = ['models', id]
  const path = option && [...model, 'options', ...option]
  const place = path ? where(path) : source === undefined ? where(model, 'key') : where([...model, 'source'])
  if (place === undefined || details.where !== undefined) return error
  const problem = path && !isWritten(path, where) ? `${details.problem}${byDefault(path)}` : details.problem
  return failure(error.code, { ...details, problem, where: place }, { cause: error.cause })
}

/** What is not written has the place of what is around it. */
const isWritten = (path: Path, where: Config['where']): boolean =>
  where(path, 'key') !== where(path.slice(0, -1), 'key')

/** Nobody looks for what nobody wrote. */
const byDefault = (path: Path): string => `; that is its default: add what it lacks, or set ${showPath(path)}`

/**
 * What a plugin failed with over its options: `config.yaml:9:5: server.policies["/x"]: …`.
 * @param options where in the configuration these stand
 * @returns the error itself where it is no such one, or nobody knows where the configuration is written
 */
export const placedPluginError = (error: unknown, options: Path, { where }: Config): unknown => {
  if (!isSallyportError(error) || error.code !== 'config_invalid') return error
  const { option, problem } = error.details as { problem: string; option?: Path }
  const path = [...options, ...(option ?? [])]
  const place = option && where(path)
  if (place === undefined) return error
  return failure('config_invalid', { where: place, problem: `${showPath(path)}: ${problem}` }, { cause: error.cause })
}
