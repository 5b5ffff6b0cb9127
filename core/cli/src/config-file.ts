import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure } from '@sallyport/core'

const candidates = ['sallyport.yaml', 'sallyport.yml', 'sallyport.json', 'config/default.yaml']

/** The default configuration of the repository, which exists unless the core was installed as a package. */
const repositoryDefault = fileURLToPath(new URL('../../../../config/default.yaml', import.meta.url))

const description = "configuration file (default: ./sallyport.yaml, or else Sallyport's own config/default.yaml)"

export const configOption = { flags: '--config <file>', description }
export const configArgument = { name: '[config]', description }

/** The path of the named configuration or of the first default one that exists. @throws config_invalid */
export const requireConfigFile = (named: string | undefined): string => {
  const found = findConfigFile(named)
  if (found !== undefined) return found
  const problem = 'no configuration found: name one with --config, or write sallyport.yaml here'
  throw failure('config_invalid', { problem })
}

/** Like {@link requireConfigFile}, for commands that also work without a configuration. */
export const findConfigFile = (named: string | undefined): string | undefined => {
  const found = named ?? candidates.find((file) => existsSync(file))
  if (found !== undefined) return resolve(found)
  return existsSync(repositoryDefault) ? repositoryDefault : undefined
}
