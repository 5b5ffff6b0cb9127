/** Adds to plugins' errors the place in the configuration where the option in question is written. */

import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { failure, isSallyportError } from '@sallyport/core'
import type { Config, ModelEntry } from '@sallyport/core'

/**
 * Adds the place to an error of a model's backend or files: `config.yaml:7:12: model guard: …`.
 * @returns the error itself where it is another one, or the configuration has no places, as one from code
 */
export const modelErrorWithPlace = (error: unknown, id: string, { source }: ModelEntry, { where }: Config): unknown => {
  if (!isSallyportError(error) || (error.code !== 'model_invalid' && error.code !== 'model_files')) return error
  const { option, ...details } = error.details as { model: string; problem: string; option?: Path; where?: string }
  const model = ['models', id]
  const path = option && [...model, 'options', ...option]
  const place = path ? where(path) : source === undefined ? where(model, 'key') : where([...model, 'source'])
  if (place === undefined || details.where !== undefined) return error
  const problem = path && !isWritten(path, where) ? `${details.problem}${defaultHint(path)}` : details.problem
  return failure(error.code, { ...details, problem, where: place }, { cause: error.cause })
}

/** Whether the option is written: a default has the place of its parent. */
const isWritten = (path: Path, where: Config['where']): boolean =>
  where(path, 'key') !== where(path.slice(0, -1), 'key')

/** Without the hint, users would look for an option that they have not written. */
const defaultHint = (path: Path): string => `; that is its default: add what it lacks, or set ${showPath(path)}`

/**
 * Adds the place to an error about a plugin's options: `config.yaml:9:5: server.policies["/x"]: …`.
 * @param options the path of the options in the configuration
 * @returns the error itself where it is another one, or the configuration has no places, as one from code
 */
export const pluginErrorWithPlace = (error: unknown, options: Path, { where }: Config): unknown => {
  if (!isSallyportError(error) || error.code !== 'config_invalid') return error
  const { option, problem } = error.details as { problem: string; option?: Path }
  const path = [...options, ...(option ?? [])]
  const place = option && where(path)
  if (place === undefined) return error
  return failure('config_invalid', { where: place, problem: `${showPath(path)}: ${problem}` }, { cause: error.cause })
}
