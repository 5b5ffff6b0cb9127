import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '@sallyport/kit/json'

/** Names of the installed packages that are plugins: those that have the core as a peer. Looks where Node would. */
export const installedPlugins = (directory: string): readonly string[] => {
  const modules = join(directory, 'node_modules')
  const here = existsSync(modules) ? packagesIn(modules).filter((name) => isPlugin(join(modules, name))) : []
  const parent = dirname(directory)
  return parent === directory ? here : [...new Set([...here, ...installedPlugins(parent)])]
}

/** Those that a configuration in the directory can name: those beside the core are found from anywhere. */
export const reachablePlugins = (directory: string): readonly string[] => [
  ...new Set([...installedPlugins(directory), ...installedPlugins(import.meta.dirname)]),
]

const packagesIn = (modules: string): readonly string[] =>
  readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
  )

const isPlugin = (directory: string): boolean => {
  const file = join(directory, 'package.json')
  if (!existsSync(file)) return false
  const description: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const peers = isRecord(description) ? description.peerDependencies : undefined
  return isRecord(peers) && '@sallyport/core' in peers
}
