/** Reports which policy guards which model, and which checks have no detector or several. */

import { checksOf } from '@sallyport/config'
import { stages } from '@sallyport/core'
import type { AnyFields, BoundPolicy, Capability, PolicyEntry, Config, Stage } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { configError } from '@sallyport/kit/schemas'
import { defaultPolicy, locatedEntries } from '@sallyport/kernel'
import type { LoadedPlugin } from '@sallyport/kernel'

/** A check without a detector. */
interface MissingDetector {
  /** Whether it has requests to models refused; otherwise the check never runs, or only for a key or a route. */
  readonly refuses: boolean
  readonly message: string
}

export interface PolicyReport {
  readonly name: string
  /** `input.injection` */
  readonly checks: readonly string[]
  /** Ids of the models that it guards. */
  readonly models: readonly string[]
  /** Routes and keys that it is bound to, such as `route /completions` or `key ci`. */
  readonly boundTo: readonly string[]
  readonly missingDetectors: readonly MissingDetector[]
}

/** A route or key that is bound to a policy that does not exist. */
interface LostBinding extends BoundPolicy {
  readonly message: string
}

/** A check that several models provide: only the first of them is asked. */
interface IdleDetectors {
  readonly check: string
  readonly asked: string
  readonly idle: readonly string[]
}

export interface SafeguardReport {
  readonly policies: readonly PolicyReport[]
  readonly lostBindings: readonly LostBinding[]
  /** Detectors that no check uses. */
  readonly idleDetectors: readonly IdleDetectors[]
}

/** A model with the capabilities that it provides, or may provide once it is loaded. */
interface ModelCapabilities {
  readonly id: string
  readonly policy: string | undefined
  readonly capabilities: readonly Capability[]
}

/**
 * Reports what the policies of a configuration do. Backends count with all capabilities that they may provide.
 * @param home where the project keeps its state: keys may be bound to policies there
 */
export const reportSafeguards = (config: Config, plugins: readonly LoadedPlugin[], home: string): SafeguardReport => {
  const models = modelsOf(config, plugins)
  const bindings = plugins.flatMap(({ definition: { services = [] }, options }) =>
    services.flatMap((service) => service.bindings?.(options, home) ?? []),
  )
  return {
    policies: Object.keys(config.policies).map((name) => reportPolicy(name, config, plugins, models, bindings)),
    lostBindings: bindings.flatMap((binding) => lostBinding(binding, Object.keys(config.policies))),
    idleDetectors: findIdleDetectors(config, plugins, models),
  }
}

/** Models of the configuration come before those that plugins bring, as detectors are asked. */
const modelsOf = ({ models, policies }: Config, plugins: readonly LoadedPlugin[]): ModelCapabilities[] => {
  const standard = defaultPolicy in policies ? defaultPolicy : undefined
  const definitions = plugins.map(({ definition }) => definition)
  const backends = new Map(definitions.flatMap((definition) => Object.entries(definition.backends ?? {})))
  return [
    ...Object.entries(models).map(([id, { backend, policy = standard }]) => ({
      id,
      policy,
      capabilities: backends.get(backend)?.capabilities ?? [],
    })),
    ...definitions
      .flatMap((definition) => Object.entries(definition.models ?? {}))
      .map(([id, { capability, also = [] }]) => ({
        id,
        policy: standard,
        capabilities: [capability, ...also.map((serving) => serving.capability)],
      })),
  ]
}

const findIdleDetectors = (
  config: Config,
  plugins: readonly LoadedPlugin[],
  models: readonly ModelCapabilities[],
): readonly IdleDetectors[] => {
  const named = new Set(locatedEntries(config).flatMap(({ entry }) => entry.detectors?.map(({ model }) => model) ?? []))
  return [...checksOf(plugins.map(({ definition }) => definition)).keys()].flatMap((check) => {
    const able = models.filter(({ capabilities }) => capabilities.some(({ name }) => name === check))
    const [asked, ...others] = able.map(({ id }) => id)
    const idle = others.filter((id) => !named.has(id))
    return asked !== undefined && idle.length ? [{ check, asked, idle }] : []
  })
}

const lostBinding = ({ policy, by }: BoundPolicy, policies: readonly string[]): readonly LostBinding[] => {
  if (policies.includes(policy)) return []
  const problem = `${by} is bound to the policy "${policy}", which there is not${didYouMean(policy, policies)}`
  return [{ policy, by, message: `${problem}: its requests are refused; add the policy, or bind it to another` }]
}

const reportPolicy = (
  name: string,
  config: Config,
  plugins: readonly LoadedPlugin[],
  models: readonly ModelCapabilities[],
  bindings: readonly BoundPolicy[],
): PolicyReport => {
  const entry = config.policies[name]
  const written = stages.flatMap((stage) =>
    Object.entries(entry?.[stage] ?? {}).map(([check, policy]) => ({ stage, check, policy })),
  )
  const guarded = models.filter(({ policy, capabilities }) => policy === name && capabilities.some(isGuarded))
  const provided = new Set(models.flatMap(({ capabilities }) => capabilities.map((capability) => capability.name)))
  const missingDetectors = written.flatMap(({ stage, check, policy }) => {
    const concerned = (among: readonly ModelCapabilities[]) =>
      among.filter(({ capabilities }) => capabilities.some((capability) => hasTextIn(capability, stage)))
    // a key or a route may apply the policy to any model
    if (provided.has(policy.check) || !concerned(models).length) return []
    const path = ['policies', name, stage, check]
    const ids = concerned(guarded).map(({ id }) => id)
    const problem = missingProblem(policy, ids, plugins)
    const { message } = configError([{ path, part: 'key', problem }], config.where)
    return [{ refuses: blocksOnFailure(policy) && ids.length > 0, message }]
  })
  return {
    name,
    checks: written.map(({ stage, check }) => `${stage}.${check}`),
    models: guarded.map(({ id }) => id),
    boundTo: bindings.filter(({ policy }) => policy === name).map(({ by }) => by),
    missingDetectors,
  }
}

const isGuarded = ({ guarded }: Capability): boolean => guarded === true

/** Whether the capability has text to check at that stage. */
const hasTextIn = (capability: Capability, stage: Stage): boolean =>
  isGuarded(capability) && Object.values(capability.methods).some((method) => containsText(method[stage]))

const containsText = (fields: AnyFields): boolean => {
  if (typeof fields === 'string') return ['text', 'line', 'part', 'delta'].includes(fields)
  return !('opaque' in fields) && Object.values(fields as Readonly<Record<string, AnyFields>>).some(containsText)
}

const blocksOnFailure = ({ mode, onFailure }: PolicyEntry): boolean => mode === 'enforce' && onFailure === 'block'

/** @param models ids that the policy guards; none where only keys and routes use it */
const missingProblem = (policy: PolicyEntry, models: readonly string[], plugins: readonly LoadedPlugin[]): string => {
  const { check } = policy
  const shown = models.length > 3 ? [...models.slice(0, 3), `${models.length - 3} more`] : models
  const refused = models.length ? `to ${shown.join(', ')}` : 'with a key or on a route that it is bound to'
  const consequence = blocksOnFailure(policy) ? `every request ${refused} would be refused` : 'the check never runs'
  const [able = check] =
    plugins
      .flatMap(({ definition }) => Object.entries(definition.backends ?? {}))
      .find(([, { capabilities }]) => capabilities.some(({ name }) => name === check)) ?? []
  const advice = `configure a model with the backend "${able}", or remove the check`
  return `no model provides "${check}": ${consequence}; ${advice}`
}
