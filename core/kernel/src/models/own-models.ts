/** The models that plugins bring along. */

import { failure, isCheck, builtInReplaceMethods } from '@sallyport/core'
import type { PluginModel, Provision, CapabilityClass } from '@sallyport/core'
import { construct, pluginLabel } from '../plugins/container.js'
import type { Binding } from '../plugins/container.js'
import type { LoadedPlugin } from '../plugins/load.js'
import type { ModelRegistry, RegisteredModel } from './registry.js'

/** Registers the models that a plugin brings along; they are ready at once. */
export const addOwnModels = (plugin: LoadedPlugin, bindings: readonly Binding[], registry: ModelRegistry): void => {
  const { definition } = plugin
  const implementation = `plugin ${definition.name}`
  for (const [id, model] of Object.entries(definition.models ?? {}))
    registry.add({ ...ownModel(id, model, pluginLabel(plugin), bindings), implementation, plugin: definition.name })
}

const ownModel = (
  id: string,
  model: PluginModel,
  plugin: string,
  bindings: readonly Binding[],
): Omit<RegisteredModel, 'implementation' | 'plugin'> => {
  const classes = [{ capability: model.capability, class: model.class }, ...(model.also ?? [])]
  const { contextLength, parameters, description, ownedBy, features, entityTypes } = model
  const descriptor = Object.fromEntries(
    Object.entries({ contextLength, parameters, description, ownedBy, features, entityTypes }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  return {
    id,
    aliases: model.aliases ?? [],
    capabilities: new Set(classes.map(({ capability }) => capability.name)),
    services: new Map(classes.map((each) => [each.capability.name, constructComplete(each, id, plugin, bindings)])),
    policy: undefined,
    configured: {},
    descriptor,
    state: () => 'ready',
  }
}

const constructComplete = (
  { capability, class: type }: CapabilityClass,
  model: string,
  plugin: string,
  bindings: readonly Binding[],
): object => {
  const service = construct(type, plugin, bindings)
  refuseIncomplete({ capability, service }, model, plugin)
  return service
}

/** @throws plugin_invalid when a required method, or a `replace()` that the check needs, is missing */
export const refuseIncomplete = ({ capability, service }: Provision, model: string, plugin: string): void => {
  const missing = Object.entries(capability.methods).find(([name, { optional }]) => !optional && !(name in service))
  const problem = missing
    ? `its service for ${capability.name} has no method ${missing[0]}()`
    : replaceProblem({ capability, service }, model)
  if (problem !== undefined) throw failure('plugin_invalid', { plugin, problem })
}

/** Each detector needs replace() where its check lists a replacement method that is not built in. */
const replaceProblem = ({ capability, service }: Provision, model: string): string | undefined => {
  const { name } = capability
  const replaceMethods = isCheck(capability) ? (capability.check.methods ?? []) : []
  const own = replaceMethods.find((method) => !(builtInReplaceMethods as readonly string[]).includes(method))
  if (own === undefined || 'replace' in service) return undefined
  return (
    `its model ${model} has no replace(), which the replacement method "${own}" of the check ${name} needs: ` +
    `implement it, or declare only ${builtInReplaceMethods.join(', ')} as replacement methods of the check`
  )
}
