/** Which policy guards which model, and which of its checks nothing that is loaded can do, or more than one. */

import { checksOf } from '@sallyport/config'
import { stages } from '@sallyport/core'
import type { AnyFields, BoundPolicy, Capability, CheckPolicy, Config, Stage } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { configError } from '@sallyport/kit/schemas'
import { defaultPolicy, writtenChecks } from '@sallyport/kernel'
import type { LoadedPlugin } from '@sallyport/kernel'

/** A check without a detector. */
export interface MissingDetector {
  /** Whether requests to models are refused for it; else the check never runs, or only where a key or a route asks. */
  readonly refuses: boolean
  readonly message: string
}

export interface PolicyReport {
  readonly name: string
  /** `input.injection` */
  readonly checks: readonly string[]
  /** The models that it guards. */
  readonly models: readonly string[]
  /** What else it is bound to: `route /completions`, `key ci`. */
  readonly bound: readonly string[]
  readonly missing: readonly MissingDetector[]
}

/** What is bound to a policy that there is not (any more). */
export interface LostBinding extends BoundPolicy {
  readonly message: string
}

/** A check that several models can do: only the first of them is asked. */
export interface IdleDetectors {
  readonly check: string
  readonly asked: string
  readonly idle: readonly string[]
}

export interface SafeguardReport {
  readonly policies: readonly PolicyReport[]
  readonly lost: readonly LostBinding[]
  /** Detectors that no check asks. */
  readonly idle: readonly IdleDetectors[]
}

/** A model and what it provides, or may provide once it is loaded. */
interface Guarded {
  readonly id: string
  readonly policy: string | undefined
  readonly capabilities: readonly Capability[]
}

/**
 * What the policies of a configuration do. Backends count for all that they may provide.
 * @param home where the project keeps its state: keys may be bound to policies there
 */
export const reportSafeguards = (config: Config, plugins: readonly LoadedPlugin[], home: string): SafeguardReport => {
  const models = modelsOf(config, plugins)
  const bindings = plugins.flatMap(({ definition: { services = [] }, options }) =>
    services.flatMap((service) => service.bindings?.(options, home) ?? []),
  )
  return {
    policies: Object.keys(config.policies).map((name) => reportPolicy(name, config, plugins, models, bindings)),
    lost: bindings.flatMap((binding) => lostBinding(binding, Object.keys(config.policies))),
    idle: idleDetectors(config, plugins, models),
  }
}

/** Models of the configuration come before those that plugins bring, as detectors are asked. */
const modelsOf = ({ models, policies }: Config, plugins: readonly LoadedPlugin[]): Guarded[] => {
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

const idleDetectors = (
  config: Config,
  plugins: readonly LoadedPlugin[],
  models: readonly Guarded[],
): readonly IdleDetectors[] => {
  const named = new Set(
    writtenChecks(config).flatMap(({ policy }) => (policy.detectors ?? []).map(({ model }) => model)),
  )
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
  models: readonly Guarded[],
  bindings: readonly BoundPolicy[],
): PolicyReport => {
  const entry = config.policies[name]
  const written = stages.flatMap((stage) =>
    Object.entries(entry?.[stage] ?? {}).map(([check, policy]) => ({ stage, check, policy })),
  )
  const guarded = models.filter(({ policy, capabilities }) => policy === name && capabilities.some(isGuarded))
  const provided = new Set(models.flatMap(({ capabilities }) => capabilities.map((capability) => capability.name)))
  const lacking = written.flatMap(({ stage, check, policy }) => {
    const concerned = (among: readonly Guarded[]) =>
      among.filter(({ capabilities }) => capabilities.some((capability) => concerns(capability, stage)))
    // A key or a route may bring it to any model.
    if (provided.has(policy.check) || !concerned(models).length) return []
    const path = ['policies', name, stage, check]
    const ids = concerned(guarded).map(({ id }) => id)
    const problem = missingProblem(policy, ids, plugins)
    const { message } = configError([{ path, part: 'key', problem }], config.where)
    return [{ refuses: blocks(policy) && ids.length > 0, message }]
  })
  return {
    name,
    checks: written.map(({ stage, check }) => `${stage}.${check}`),
    models: guarded.map(({ id }) => id),
    bound: bindings.filter(({ policy }) => policy === name).map(({ by }) => by),
    missing: lacking,
  }
}

const isGuarded = ({ guarded }: Capability): boolean => guarded === true

/** Whether a model of the capability has anything to check at that stage. */
const concerns = (capability: Capability, stage: Stage): boolean =>
  isGuarded(capability) && Object.values(capability.methods).some((method) => bearsText(method[stage]))

const bearsText = (fields: AnyFields): boolean => {
  if (typeof fields === 'string') return ['text', 'part', 'delta'].includes(fields)
  return !('opaque' in fields) && Object.values(fields as Readonly<Record<string, AnyFields>>).some(bearsText)
}

const blocks = ({ mode, onFailure }: CheckPolicy): boolean => mode === 'enforce' && onFailure === 'block'

/** @param models those that the policy guards and the check is about; none where only keys and routes may bring it */
const missingProblem = (policy: CheckPolicy, models: readonly string[], plugins: readonly LoadedPlugin[]): string => {
  const { check } = policy
  const shown = models.length > 3 ? [...models.slice(0, 3), `${models.length - 3} more`] : models
  const refused = models.length ? `to ${shown.join(', ')}` : 'with a key or on a route that it is bound to'
  const consequence = blocks(policy) ? `every request ${refused} would be refused` : 'the check never runs'
  const [able = check] =
    plugins
      .flatMap(({ definition }) => Object.entries(definition.backends ?? {}))
      .find(([, { capabilities }]) => capabilities.some(({ name }) => name === check)) ?? []
  const advice = `configure a model with the backend "${able}", or remove the check`
  return `no model provides "${check}": ${consequence}; ${advice}`
}
