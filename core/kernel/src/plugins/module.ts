import { failure } from '@sallyport/core'
import type { PluginDefinition } from '@sallyport/core'
import { explainImportError } from './import-error.js'
import { registerImportHooks } from './register.js'

/** The definition of a plugin that another process has imported and checked. @throws plugin_invalid */
export const importCheckedPlugin = async (moduleUrl: string): Promise<PluginDefinition> =>
  (await importDefaultExport(moduleUrl, moduleUrl)) as PluginDefinition

/**
 * Returns the default export of a plugin's module, an object that is not validated.
 * @param plugin the plugin's name in the configuration, for the error
 * @throws plugin_invalid
 */
export const importDefaultExport = async (moduleUrl: string, plugin: string): Promise<object> => {
  registerImportHooks(moduleUrl)
  return defaultExport(await importModule(moduleUrl, plugin), plugin)
}

const importModule = async (url: string, plugin: string): Promise<object> => {
  // Stack traces then show the TypeScript source.
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
