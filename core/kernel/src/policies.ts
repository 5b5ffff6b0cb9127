/** Which policy holds for a call, and which detectors enforce it. */

import { failure, loggable, originOf, stages } from '@sallyport/core'
import type {
  Call,
  CallOptions,
  Check,
  Checks,
  CheckPolicy,
  Config,
  ErrorOrigin,
  Logger,
  PolicyEntry,
  Safeguard,
} from '@sallyport/core'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import {
  activeCheck,
  callerChecks,
  combinedDetector,
  InspectionMemory,
  joinPolicies,
  noActiveChecks,
  Progress,
} from '@sallyport/guard'
import type { ActiveCheck, ActiveChecks, GuardContext } from '@sallyport/guard'
import { isInspecting } from './detectors.js'
import { stillLoading } from './registry.js'
import type { ModelRegistry, RegisteredModel } from './registry.js'
import { checkWishes } from './wishes.js'

/** The policy of models that name none, where the configuration has one of this name. */
export const defaultPolicy = 'default'

export class PolicyBook {
  private readonly progress = new Progress()
  private readonly memory = new InspectionMemory()

  constructor(
    private readonly config: Config,
    private readonly checks: ReadonlyMap<string, Check>,
    private readonly registry: ModelRegistry,
    private readonly logger: Logger,
  ) {}

  get names(): ReadonlySet<string> {
    return new Set(Object.keys(this.config.policies))
  }

  /** What the chain needs for one call of a model. */
  contextFor(model: RegisteredModel, options: CallOptions, call: Call): GuardContext {
    const { requestId } = call
    return {
      checks: isInspecting(call) ? noActiveChecks : this.checksFor(model, options),
      progress: this.progress,
      memory: this.memory,
      onInputPassed: options.onInputPassed,
      onVerdict: (verdict) => {
        const level = verdict.verdict === 'pass' ? 'debug' : 'info'
        // Where something stands is for the caller alone.
        const { spans, order, ...logged } = verdict
        this.logger[level](
          { requestId, model: model.id, ...logged, ...(spans && { located: spans.length }) },
          'checked',
        )
        options.onVerdict?.(verdict)
      },
      onLeftOut: (name) =>
        this.logger.warn(
          { requestId, model: model.id, name },
          'a check blocks what this says of itself: it is left out',
        ),
      onFailure: ({ name: check, policy }, error) => {
        const { plugin, model: detector } = this.originOf(error, policy) ?? {}
        this.logger.error({ requestId, model: model.id, check, plugin, detector, error }, 'safeguard failed')
      },
    }
  }

  /** A check as a policy has it, with who is asked. */
  active(name: string, policy: CheckPolicy): ActiveCheck {
    const check = this.checks.get(policy.check)
    // Policies are held to the checks when the configuration is read.
    if (!check) throw failure('internal', {}, { cause: loggable(new TypeError(`a policy has no check ${name}`)) })
    return activeCheck(name, check, policy, this.detectorOf(check, policy))
  }

  private checksFor(model: RegisteredModel, { safeguards, policies = [] }: CallOptions): ActiveChecks {
    const { callerPolicy } = this.config
    const name = model.policy ?? (this.names.has(defaultPolicy) ? defaultPolicy : undefined)
    const names = new Set(name === undefined ? policies : [name, ...policies])
    const operator = [...names].map((one) => this.policy(one)).reduce(joinPolicies, noActiveChecks)
    if (safeguards === undefined) return operator
    const wishes = checkWishes(safeguards, callerPolicy, this.checks)
    return joinPolicies(operator, this.activeOf(callerChecks(wishes, callerPolicy)))
  }

  private policy(name: string): ActiveChecks {
    const policy = this.names.has(name) ? this.config.policies[name] : undefined
    // A policy that is gone must not mean that nothing is checked.
    if (!policy) throw failure('safeguard_unavailable', { name: `policy ${name}` })
    return this.activeOf(policy)
  }

  private activeOf({ input, output }: PolicyEntry): ActiveChecks {
    const each = (checks: Checks) =>
      Object.entries(checks)
        .map(([name, policy]) => this.active(name, policy))
        .sort((one, other) => one.definition.order - other.definition.order)
    return { input: each(input), output: each(output) }
  }

  private detectorOf(check: Check, policy: CheckPolicy): Safeguard | undefined {
    const asked = this.registry.detectorsOf(policy)
    const detectors = asked.map((model) => model && (this.registry.serviceOf(check, model) ?? notLoaded))
    if (!policy.detectors) return detectors[0]
    const parts = policy.detectors.map(({ threshold }, at) => ({ detector: detectors[at], threshold }))
    return combinedDetector(check.name, parts, policy)
  }

  /** Who has failed; undefined where one of several has, and it was not its own code that said so. */
  private originOf(error: unknown, policy: CheckPolicy): ErrorOrigin | undefined {
    const [asked, ...others] = this.registry.detectorsOf(policy)
    const only = asked && !others.length ? { plugin: asked.plugin, model: asked.id } : undefined
    return (error instanceof Error && originOf(error)) || only
  }
}

/** Stands for a detector that the configuration has and that cannot be asked now. */
const notLoaded: Safeguard = {
  inspect: () => Promise.reject(stillLoading()),
}

/** A check of a policy, and where the configuration has it. */
export interface WrittenCheck {
  readonly path: Path
  readonly policy: CheckPolicy
}

/** Of all policies, and of those for callers. */
export const writtenChecks = ({ policies, callerPolicy }: Config): readonly WrittenCheck[] =>
  [
    ...Object.entries(policies).map(([name, policy]) => [['policies', name], policy] as const),
    [['callerPolicy'], callerPolicy] as const,
  ].flatMap(([path, policy]) =>
    stages.flatMap((stage) =>
      Object.entries(policy[stage]).map(([entry, check]) => ({ path: [...path, stage, entry], policy: check })),
    ),
  )

/** Detectors that policies name, and that provide no such check. */
export const unknownDetectors = (config: Config, providing: (check: string) => readonly string[]): Problem[] =>
  writtenChecks(config).flatMap(({ path, policy }) =>
    (policy.detectors ?? []).flatMap(({ model }, at) => {
      const able = providing(policy.check)
      const others = able.length ? `there are: ${able.join(', ')}` : 'there is none'
      return able.includes(model)
        ? []
        : [
            {
              path: [...path, 'detectors', at],
              problem: `"${model}" is no model that provides ${policy.check} (${others})`,
            },
          ]
    }),
  )
