import { failure, isSallyportError } from '@sallyport/core'
import type { Config, PluginDefinition } from '@sallyport/core'
import { checkSettings } from '@sallyport/config'
import type { BackendOwners } from '@sallyport/config'
import { reachablePlugins } from './discover.js'
import { importPlugin } from './import.js'
import type { ImportedPlugin } from './import.js'

/** A plugin, imported, and its options as the configuration gives them: checked, with defaults, frozen. */
export interface LoadedPlugin extends ImportedPlugin {
  readonly options: object
}

export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[]
  /** The configuration with its models' options checked and filled in. */
  readonly config: Config
}

const known = new WeakMap<Config, Promise<LoadedPlugins>>()

/**
 * Imports the plugins of a configuration and checks all that they know of it: their options and sections, and the
 * options of models of their backends. Once for each configuration: commands look at it before a kernel is made of it.
 * @throws plugin_invalid, config_invalid
 */
export const loadPlugins = (config: Config): Promise<LoadedPlugins> => {
  const loaded = known.get(config) ?? load(config)
  known.set(config, loaded)
  return loaded
}

const load = async (config: Config): Promise<LoadedPlugins> => {
  const imported: ImportedPlugin[] = []
  for (const index of config.plugins.keys()) imported.push(await importEntry(config, index))
  const definitions = imported.map(({ definition }) => definition)
  const { pluginOptions, ...checked } = checkSettings(config, definitions, await ownersElsewhere(config, definitions))
  const plugins = imported.map((plugin, index) => ({ ...plugin, options: pluginOptions[index] ?? {} }))
  return { plugins, config: Object.freeze({ ...config, ...checked }) }
}

const importEntry = async (config: Config, index: number): Promise<ImportedPlugin> => {
  const use = config.plugins[index]?.use ?? ''
  try {
    return await importPlugin(use, config.baseDirectory)
  } catch (error) {
    const where = config.where(['plugins', index, 'use'])
    if (!isSallyportError(error) || where === undefined) throw error
    const { plugin, problem } = error.details as { plugin: string; problem: string }
    throw failure('plugin_invalid', { plugin, problem, where }, { cause: error.cause })
  }
}

/** Looked for only where a model names a backend that no loaded plugin has: what is installed is imported for it. */
const ownersElsewhere = async (
  { models, baseDirectory }: Config,
  definitions: readonly PluginDefinition[],
): Promise<BackendOwners> => {
  const loaded = new Set(definitions.flatMap(({ backends }) => Object.keys(backends ?? {})))
  if (Object.values(models).every(({ backend }) => loaded.has(backend))) return new Map()
  const looked = reachablePlugins(baseDirectory).map(async (use) => {
    const { definition } = await importPlugin(use, baseDirectory)
    return Object.keys(definition.backends ?? {}).map((backend) => [backend, use] as const)
  })
  const found = await Promise.allSettled(looked)
  return new Map(found.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])))
}
