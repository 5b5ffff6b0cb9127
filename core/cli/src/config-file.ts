import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure } from '@sallyport/core'

const candidates = ['sallyport.yaml', 'sallyport.yml', 'sallyport.json', 'config/default.yaml']

/** The repository that this core was built in, when it was not installed from a package. */
const repositoryDefault = fileURLToPath(new URL('../../../../config/default.yaml', import.meta.url))

const description = "configuration file (default: ./sallyport.yaml, or else Sallyport's own config/default.yaml)"

/** The option and the argument by which commands take it. */
export const configOption = { flags: '--config <file>', description }
export const configArgument = { name: '[config]', description }

/** The configuration that is named, or the first that lies where one is expected. @throws config_invalid */
export const requireConfigFile = (named: string | undefined): string => {
  const found = findConfigFile(named)
  if (found !== undefined) return found
  throw failure('config_invalid', {
    problem: `no configuration found: name one with --config, or write ${candidates[0] ?? ''} here`,
  })
}

/** The configuration for commands that work without one, too. */
export const findConfigFile = (named: string | undefined): string | undefined => {
  const found = named ?? candidates.find((file) => existsSync(file))
  if (found !== undefined) return resolve(found)
  return existsSync(repositoryDefault) ? repositoryDefault : undefined
}
