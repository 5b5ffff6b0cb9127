/** Adds to plugins' errors the location in the configuration of what they are about. */

import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { failure, isSallyportError } from '@sallyport/core'
import type { Config, ModelEntry } from '@sallyport/core'

/**
 * Adds the location to an error of a model's backend or files: `config.yaml:7:12: model guard: …`.
 * @returns errors of which no location is known as they are
 */
export const locateModelError = (error: unknown, id: string, { source }: ModelEntry, { where }: Config): unknown => {
  if (!isSallyportError(error) || (error.code !== 'model_invalid' && error.code !== 'model_files')) return error
  const { option, ...details } = error.details as { model: string; problem: string; option?: Path; where?: string }
  const model = ['models', id]
  const path = option && [...model, 'options', ...option]
  const location = path ? where(path) : source === undefined ? where(model, 'key') : where([...model, 'source'])
  if (location === undefined || details.where !== undefined) return error
  const problem = path && !isSet(path, where) ? `${details.problem}${defaultHint(path)}` : details.problem
  return failure(error.code, { ...details, problem, where: location }, { cause: error.cause })
}

/** Whether the configuration sets the option: a default has the location of its parent. */
const isSet = (path: Path, where: Config['where']): boolean => where(path, 'key') !== where(path.slice(0, -1), 'key')

/** Without the hint, users would look for an option that they have not set. */
const defaultHint = (path: Path): string =>
  '; the option is not set, and this is about its default value: install or configure what the default refers to, ' +
  `or set ${showPath(path)}`

/**
 * Adds the location to an error about a plugin's options: `config.yaml:9:5: server.policies["/x"]: …`.
 * @param options the path of the options in the configuration
 * @returns errors of which no location is known as they are
 */
export const locatePluginError = (error: unknown, options: Path, { where }: Config): unknown => {
  if (!isSallyportError(error) || error.code !== 'config_invalid') return error
  const { option, problem } = error.details as { problem: string; option?: Path }
  const path = [...options, ...(option ?? [])]
  const location = option && where(path)
  if (location === undefined) return error
  const details = { where: location, problem: `${showPath(path)}: ${problem}` }
  return failure('config_invalid', details, { cause: error.cause })
}
