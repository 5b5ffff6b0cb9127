/** Checks plugins and configuration against each other before anything is started. */

import { uniqueCapabilities } from '@sallyport/config'
import { failure } from '@sallyport/core'
import type { Capability, Config, SallyportError, PluginDefinition } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { didYouMean, nearest } from '@sallyport/kit/text'
import { pluginLabel } from './plugins/container.js'
import type { LoadedPlugin } from './plugins/load.js'
import { defaultPolicy } from './checks/policies.js'

/** @throws plugin_invalid, config_invalid */
export const checkBoot = (plugins: readonly LoadedPlugin[], config: Config): void => {
  checkUnique(
    plugins,
    ({ name }) => [name],
    (_, other, plugin) =>
      other.definition === plugin.definition
        ? 'is loaded twice: remove one of its entries'
        : `has the name of another plugin, ${pluginLabel(other)}: give one of them another`,
  )
  checkUnique(
    plugins,
    ({ section }) => (section ? [section] : []),
    (section, other) => `reads a section that ${pluginLabel(other)} reads, too: load only one plugin for "${section}"`,
  )
  checkUnique(
    plugins,
    ({ backends = {} }) => Object.keys(backends),
    (backend, other) => `brings a backend "${backend}", and so does ${pluginLabel(other)}: load only one of them`,
  )
  checkUnique(
    plugins,
    ({ models = {} }) => Object.keys(models),
    (id, other) => `brings a model "${id}", and so does ${pluginLabel(other)}: give one of them another name`,
  )
  checkModels(plugins, config)
  checkPolicies(config)
  checkRequirements(
    plugins.map(({ definition }) => definition),
    config,
  )
}

/** @throws plugin_invalid for the first key that two plugins have */
const checkUnique = (
  plugins: readonly LoadedPlugin[],
  keysOf: (definition: PluginDefinition) => readonly string[],
  problemOf: (key: string, other: LoadedPlugin, plugin: LoadedPlugin) => string,
): void => {
  const owners = new Map<string, LoadedPlugin>()
  for (const plugin of plugins)
    for (const key of keysOf(plugin.definition)) {
      const other = owners.get(key)
      if (other)
        throw failure('plugin_invalid', { plugin: pluginLabel(plugin), problem: problemOf(key, other, plugin) })
      owners.set(key, plugin)
    }
}

const invalid = (config: Config, path: readonly string[], problem: string): SallyportError => {
  const where = config.where(path)
  return failure('config_invalid', {
    problem: `${showPath(path)}: ${problem}`,
    ...(where === undefined ? {} : { where }),
  })
}

const checkModels = (plugins: readonly LoadedPlugin[], config: Config): void => {
  const ids = [
    ...plugins.flatMap(({ definition }) => Object.keys(definition.models ?? {})),
    ...Object.keys(config.models),
  ]
  for (const id of Object.keys(config.models)) {
    const plugin = plugins.find(({ definition }) => Object.hasOwn(definition.models ?? {}, id))
    if (!plugin) continue
    const problem = `the plugin ${pluginLabel(plugin)} brings a model of this name: give this one another`
    throw invalid(config, ['models', id], problem)
  }
  for (const [id, { aliases }] of Object.entries(config.models))
    for (const alias of aliases)
      if (ids.includes(alias))
        throw invalid(config, ['models', id, 'aliases'], `"${alias}" is the name of a model: choose another alias`)
}

const checkPolicies = (config: Config): void => {
  const names = Object.keys(config.policies)
  for (const [id, { policy }] of Object.entries(config.models))
    if (policy !== undefined && !names.includes(policy))
      throw invalid(config, ['models', id, 'policy'], `there is no policy "${policy}"${didYouMean(policy, names)}`)
  const named = Object.values(config.models).map(({ policy }) => policy)
  const misspelt = names.find(
    (name) => name !== defaultPolicy && !named.includes(name) && nearest(name, [defaultPolicy]),
  )
  if (misspelt !== undefined)
    throw invalid(config, ['policies', misspelt], `applies to no model: did you mean "${defaultPolicy}"?`)
}

const checkRequirements = (definitions: readonly PluginDefinition[], config: Config): void => {
  const provided = new Set(
    definitions.flatMap(({ models, backends }) => [
      ...Object.values(models ?? {}).flatMap(({ capability, also }) => [
        capability.name,
        ...(also ?? []).map((each) => each.capability.name),
      ]),
      ...Object.entries(backends ?? {})
        .filter(([name]) => Object.values(config.models).some(({ backend }) => backend === name))
        .flatMap(([, { capabilities }]) => capabilities.map(({ name }) => name)),
    ]),
  )
  for (const { name, requires } of definitions)
    for (const capability of requires ?? [])
      if (!provided.has(capability.name))
        throw failure('plugin_invalid', {
          plugin: name,
          problem: `needs the capability "${capability.name}", which no plugin or configured model provides`,
        })
}

/**
 * The capabilities of plugins that adapters serve over HTTP.
 * @throws plugin_invalid for a capability that is invalid or not guarded, and for a name with two meanings
 */
export const httpCapabilities = (definitions: readonly PluginDefinition[]): readonly Capability[] =>
  uniqueCapabilities(definitions, {
    noun: 'capability',
    includes: (capability): capability is Capability => capability.http !== undefined,
    declaration: ({ methods }) => methods,
    problemOf: ({ guarded }) => (guarded === true ? undefined : 'is served over HTTP: it must be guarded'),
  })
