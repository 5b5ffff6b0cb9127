import type { PluginEntry, PluginDefinition } from '@sallyport/core'
import { checkDefinition } from './definition.js'
import { locate } from './locate.js'
import { importDefaultExport } from './module.js'

export interface ImportedPlugin {
  readonly definition: PluginDefinition
  /** The URL that a child process imports; undefined for a definition that was given as an object. */
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
  return { definition: checkDefinition(await importDefaultExport(moduleUrl, plugin), plugin), moduleUrl }
}

const nameOf = (definition: unknown): string => {
  const name =
    typeof definition === 'object' && definition !== null && 'name' in definition ? definition.name : undefined
  return typeof name === 'string' ? name : '(given from code)'
}
