import { failure } from '../errors/index.js'
import type { PluginEntry } from '../config/types.js'
import type { PluginDefinition } from '../kernel/plugin.js'
import { checkDefinition } from './definition.js'
import { explainImportError } from './import-error.js'
import { locate } from './locate.js'
import { registerPluginLoader } from './register.js'

export interface ImportedPlugin {
  readonly definition: PluginDefinition
  /** What a child process imports; absent for a definition that came from code. */
  readonly moduleUrl: string | undefined
}

/**
 * Imports a plugin: a package (looked for from the directory, then from the core), a path from the directory
 * (TypeScript too), a file URL, or the definition itself.
 * @throws plugin_invalid
 */
export const importPlugin = async (use: PluginEntry['use'], baseDirectory: string): Promise<ImportedPlugin> => {
  if (typeof use !== 'string' && !(use instanceof URL))
    return { definition: checkDefinition(use, nameOf(use)), moduleUrl: undefined }
  const plugin = String(use)
  const moduleUrl = locate(use, baseDirectory)
  registerPluginLoader(moduleUrl)
  const module = await importModule(moduleUrl, plugin)
  return { definition: checkDefinition(defaultExport(module, plugin), plugin), moduleUrl }
}

const nameOf = (definition: unknown): string => {
  const name =
    typeof definition === 'object' && definition !== null && 'name' in definition ? definition.name : undefined
  return typeof name === 'string' ? name : '(given from code)'
}

const importModule = async (url: string, plugin: string): Promise<object> => {
  // So that an error in a plugin's own code is found in the source that its author knows.
  if (/\.m?ts$/.test(url)) process.setSourceMapsEnabled(true)
  try {
    return (await import(url)) as object
  } catch (cause) {
    throw failure('plugin_invalid', { plugin, problem: await explainImportError(cause, url) }, { cause })
  }
}

const defaultExport = (module: object, plugin: string): object => {
  const exported = 'default' in module ? unwrap(module.default) : undefined
  if (typeof exported === 'object' && exported !== null && !Array.isArray(exported)) return exported
  const names = Object.keys(module).filter((name) => name !== 'default')
  const instead = names.length ? ` (it exports ${names.join(', ')})` : ''
  throw failure('plugin_invalid', { plugin, problem: `has no default export made by definePlugin${instead}` })
}

/** A module that was compiled to CommonJS keeps its default export one level down. */
const unwrap = (exported: unknown): unknown =>
  typeof exported === 'object' && exported !== null && '__esModule' in exported && 'default' in exported
    ? exported.default
    : exported
