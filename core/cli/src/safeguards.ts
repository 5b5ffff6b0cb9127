/** Which policy guards which model, and which of its checks nothing that is loaded can do, or more than one. */

import { checksOf } from '@sallyport/config'
import type { AnyFields, Capability, Config, PolicyEntry, CheckPolicy, BoundPolicy } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { configError } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { defaultPolicy, writtenChecks } from '@sallyport/kernel'
import type { LoadedPlugin } from '@sallyport/kernel'

type Stage = keyof PolicyEntry

interface Check {
  readonly stage: Stage
  /** Of the entry. */
  readonly name: string
  readonly policy: CheckPolicy
}

/** A check without a detector. */
export interface MissingDetector {
  readonly check: string
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

/** A model and what it provides, or may provide once it is loaded. */
interface Guarded {
  readonly id: string
  readonly policy: string | undefined
  readonly capabilities: readonly Capability[]
}

/** A check that several models can do: only the first of them is asked. */
export interface IdleDetectors {
  readonly check: string
  readonly asked: string
  readonly idle: readonly string[]
}

/** Which detectors no check asks: those of the configuration come before those that plugins bring. */
export const idleDetectors = (config: Config, plugins: readonly LoadedPlugin[]): IdleDetectors[] => {
  const models = modelsOf(config, plugins)
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

const modelsOf = (config: Config, plugins: readonly LoadedPlugin[]): Guarded[] => [
  ...configuredModels(config, plugins),
  ...ownModels(config, plugins),
]

/**
 * What the policies of a configuration do. Backends count for all that they may provide.
 * @param home where the project keeps its state: keys may be bound to policies there
 */
export const reportPolicies = (config: Config, plugins: readonly LoadedPlugin[], home: string): PolicyReport[] => {
  const models = modelsOf(config, plugins)
  const bindings = plugins.flatMap((plugin) => bindingsOf(plugin, home))
  const provided = new Set(models.flatMap(({ capabilities }) => capabilities.map(({ name }) => name)))
  return Object.entries(config.policies).map(([name, entry]) => {
    const guarded = models.filter(({ policy, capabilities }) => policy === name && capabilities.some(isGuarded))
    const checks = entriesOf(entry)
    const lacking = ({ stage, name: check, policy }: Check): MissingDetector[] => {
      const concerned = (among: readonly Guarded[]) =>
        among.filter(({ capabilities }) => capabilities.some(concerns(stage)))
      // A key or a route may bring it to any model.
      if (provided.has(policy.check) || !concerned(models).length) return []
      return [missing(config, plugins, name, { stage, name: check, policy }, concerned(guarded))]
    }
    return {
      name,
      checks: checks.map(({ stage, name: check }) => `${stage}.${check}`),
      models: guarded.map(({ id }) => id),
      bound: bindings.flatMap(({ policy, by }) => (policy === name ? [by] : [])),
      missing: checks.flatMap(lacking),
    }
  })
}

/** What is bound to a policy that there is not (any more). */
export interface LostBinding extends BoundPolicy {
  readonly message: string
}

/** @param home as in {@link reportPolicies} */
export const lostBindings = ({ policies }: Config, plugins: readonly LoadedPlugin[], home: string): LostBinding[] =>
  plugins
    .flatMap((plugin) => bindingsOf(plugin, home))
    .filter(({ policy }) => !Object.hasOwn(policies, policy))
    .map(({ policy, by }) => {
      const meant = didYouMean(policy, Object.keys(policies))
      const problem = `${by} is bound to the policy "${policy}", which there is not${meant}`
      return { policy, by, message: `${problem}: its requests are refused; add the policy, or bind it to another` }
    })

const bindingsOf = ({ definition: { services = [] }, options }: LoadedPlugin, home: string): BoundPolicy[] =>
  services.flatMap((service) => service.bindings?.(options, home) ?? [])

const isGuarded = ({ guarded }: Capability): boolean => guarded === true

/** Whether a model of the capability has anything to check at that stage. */
const concerns =
  (stage: Stage) =>
  (capability: Capability): boolean =>
    isGuarded(capability) && Object.values(capability.methods).some((method) => bearsText(method[stage]))

const bearsText = (fields: AnyFields): boolean => {
  if (typeof fields === 'string') return ['text', 'part', 'delta'].includes(fields)
  return !('opaque' in fields) && Object.values(fields as Readonly<Record<string, AnyFields>>).some(bearsText)
}

const entriesOf = (entry: PolicyEntry): Check[] =>
  (['input', 'output'] as const).flatMap((stage) =>
    Object.entries(entry[stage]).map(([name, policy]) => ({
      stage,
      name,
      policy,
    })),
  )

const policyOf = (config: Config, named?: string): string | undefined =>
  named ?? (defaultPolicy in config.policies ? defaultPolicy : undefined)

const configuredModels = (config: Config, plugins: readonly LoadedPlugin[]): Guarded[] => {
  const backends = Object.assign({}, ...plugins.map(({ definition }) => definition.backends)) as NonNullable<
    LoadedPlugin['definition']['backends']
  >
  return Object.entries(config.models).map(([id, { backend, policy }]) => ({
    id,
    policy: policyOf(config, policy),
    capabilities: backends[backend]?.capabilities ?? [],
  }))
}

const ownModels = (config: Config, plugins: readonly LoadedPlugin[]): Guarded[] =>
  plugins
    .flatMap(({ definition }) => Object.entries(definition.models ?? {}))
    .map(([id, { capability, also = [] }]) => ({
      id,
      policy: policyOf(config),
      capabilities: [capability, ...also.map((serving) => serving.capability)],
    }))

/** @param models those that the policy guards and the check is about; none where only keys and routes may bring it */
const missing = (
  config: Config,
  plugins: readonly LoadedPlugin[],
  policy: string,
  { stage, name: entry, policy: { check: name, mode, onFailure } }: Check,
  models: readonly Guarded[],
): MissingDetector => {
  const blocks = mode === 'enforce' && onFailure === 'block'
  const ids = models.map(({ id }) => id)
  const shown = ids.length > 3 ? [...ids.slice(0, 3), `${ids.length - 3} more`] : ids
  const refused = ids.length
    ? `every request to ${shown.join(', ')} would be refused`
    : 'every request with a key or on a route that it is bound to would be refused'
  const consequence = blocks ? refused : 'the check never runs'
  const able = plugins
    .flatMap(({ definition }) => Object.entries(definition.backends ?? {}))
    .find(([, { capabilities }]) => capabilities.some((capability) => capability.name === name))
  const advice = `configure a model with the backend "${able?.[0] ?? name}", or remove the check`
  const problem = `no model provides "${name}": ${consequence}; ${advice}`
  const check = `${stage}.${entry}`
  const path = ['policies', policy, stage, entry]
  const { message } = configError([located(path, problem)], config.where)
  return { check, refuses: blocks && ids.length > 0, message }
}

const located = (path: readonly string[], problem: string): Problem => ({ path, part: 'key', problem })
