import { failure, isSallyportError } from '@sallyport/core'
import type { Config, PluginDefinition } from '@sallyport/core'
import { checkSettings, checksOf } from '@sallyport/config'
import type { Owners } from '@sallyport/config'
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

/** Looked for only where something is named that no loaded plugin has: what is installed is imported for it. */
const ownersElsewhere = async (config: Config, definitions: readonly PluginDefinition[]): Promise<Owners> => {
  const { models, policies, callerPolicy, baseDirectory } = config
  const entries = [...Object.values(policies), callerPolicy].flatMap(({ input, output }) => [input, output])
  const named = entries.flatMap((checks) => Object.entries(checks).map(([name, entry]) => entry.check || name))
  const isKnown =
    Object.values(models).every(({ backend }) => definitions.some((definition) => hasBackend(definition, backend))) &&
    named.every((name) => definitions.some((definition) => checksOf([definition]).has(name)))
  const uses = isKnown ? [] : reachablePlugins(baseDirectory)
  const found = await Promise.allSettled(uses.map((use) => importPlugin(use, baseDirectory)))
  const imported = found.flatMap((each, index) =>
    each.status === 'fulfilled' ? [{ use: uses[index] ?? '', definition: each.value.definition }] : [],
  )
  const owners = (namesOf: (definition: PluginDefinition) => Iterable<string>) =>
    new Map(imported.flatMap(({ use, definition }) => Array.from(namesOf(definition), (name) => [name, use] as const)))
  return {
    backends: owners(({ backends = {} }) => Object.keys(backends)),
    checks: owners((definition) => checksOf([definition]).keys()),
  }
}

const hasBackend = ({ backends = {} }: PluginDefinition, name: string): boolean => Object.hasOwn(backends, name)
