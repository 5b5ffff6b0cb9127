import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { failure, isSallyportError } from '@sallyport/core'
import type { BackendDefinition, Config, PluginDefinition } from '@sallyport/core'
import { checkSettings, checksOf } from '@sallyport/config'
import type { PluginLookup } from '@sallyport/config'
import { isRecord } from '@sallyport/kit/json'
import { importPlugin } from './import.js'
import type { ImportedPlugin } from './import.js'
import { packageDirectories } from './locate.js'

/** An imported plugin with its options from the configuration: validated, with defaults, frozen. */
export interface LoadedPlugin extends ImportedPlugin {
  readonly options: object
}

interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[]
  /** The configuration, with policies and the options of models validated and defaults filled in. */
  readonly config: Config
}

const loadedByConfig = new WeakMap<Config, Promise<LoadedPlugins>>()

/**
 * Imports the plugins of a configuration and validates their options and sections, the policies, and the options of
 * models. The result is cached by configuration: commands load the plugins before they create a kernel.
 * @throws plugin_invalid, config_invalid
 */
export const loadPlugins = (config: Config): Promise<LoadedPlugins> => {
  const loaded = loadedByConfig.get(config) ?? load(config)
  loadedByConfig.set(config, loaded)
  return loaded
}

const load = async (config: Config): Promise<LoadedPlugins> => {
  const imported: ImportedPlugin[] = []
  for (const index of config.plugins.keys()) imported.push(await importEntry(config, index))
  const definitions = imported.map(({ definition }) => definition)
  const { pluginOptions, ...settings } = checkSettings(config, definitions, await lookupInstalled(config, definitions))
  const plugins = imported.map((plugin, index) => ({ ...plugin, options: pluginOptions[index] ?? {} }))
  return { plugins, config: Object.freeze({ ...config, ...settings }) }
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

/** Imports the installed plugins if the configuration names a backend or check that no loaded plugin has. */
const lookupInstalled = async (config: Config, definitions: readonly PluginDefinition[]): Promise<PluginLookup> => {
  const { models, policies, callerPolicy, baseDirectory } = config
  const entries = [...Object.values(policies), callerPolicy].flatMap(({ input, output }) => [input, output])
  const checkNames = entries.flatMap((checks) => Object.entries(checks).map(([name, entry]) => entry.check || name))
  const backends = new Set(definitions.flatMap(backendNames))
  const checks = checksOf(definitions)
  const areAllLoaded =
    Object.values(models).every(({ backend }) => backends.has(backend)) && checkNames.every((name) => checks.has(name))
  const uses = areAllLoaded ? [] : reachablePlugins(baseDirectory)
  const imports = uses.map(async (use) => {
    const { definition } = await importPlugin(use, baseDirectory)
    return { use, backends: backendNames(definition), checks: [...checksOf([definition]).keys()] }
  })
  const installed = (await Promise.allSettled(imports)).flatMap((each) =>
    each.status === 'fulfilled' ? each.value : [],
  )
  const usesBy = (kind: 'backends' | 'checks') =>
    new Map(installed.flatMap((plugin) => plugin[kind].map((name) => [name, plugin.use] as const)))
  return { backends: usesBy('backends'), checks: usesBy('checks') }
}

const backendNames = ({ backends = {} }: PluginDefinition): string[] => Object.keys(backends)

/** The backend of this name, and its plugin. */
export const findBackend = (
  plugins: readonly LoadedPlugin[],
  name: string,
): { plugin: LoadedPlugin; backend: BackendDefinition } | undefined => {
  for (const plugin of plugins) {
    const backend = plugin.definition.backends?.[name]
    if (backend) return { plugin, backend }
  }
  return undefined
}

/** Names of the installed plugins: packages with a peer dependency on the core, in the directories where Node looks. */
export const installedPlugins = (directory: string): readonly string[] => [
  ...new Set(
    packageDirectories(directory)
      .filter((modules) => existsSync(modules))
      .flatMap((modules) => packagesIn(modules).filter((name) => isPlugin(join(modules, name)))),
  ),
]

/**
 * Names of the plugins that a configuration in this directory can use; those next to the core are found from anywhere.
 */
export const reachablePlugins = (directory: string): readonly string[] => [
  ...new Set([...installedPlugins(directory), ...installedPlugins(import.meta.dirname)]),
]

const packagesIn = (modules: string): readonly string[] =>
  readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
  )

/** Whether it is a package with that peer dependency; what is no package, or an unreadable one, has none. */
const isPlugin = (directory: string): boolean => {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    return isRecord(manifest) && isRecord(manifest.peerDependencies) && '@sallyport/core' in manifest.peerDependencies
  } catch {
    return false
  }
}
