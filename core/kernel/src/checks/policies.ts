/** Which policy holds for a call, and which detectors enforce it. */

import { failure, loggable, originOf } from '@sallyport/core'
import type { Call, CallOptions, ErrorOrigin, Logger, Detector } from '@sallyport/core'
import type { Check, CheckPolicy, Checks, Config, PolicyEntry } from '@sallyport/core'
import { activeCheck, callerChecks, checkWishes, combinedDetector, joinPolicies } from '@sallyport/guard'
import { InspectionMemory, noActiveChecks, Progress } from '@sallyport/guard'
import type { ActiveCheck, ActiveChecks, GuardContext } from '@sallyport/guard'
import { isInspecting } from '../calls/inspecting.js'
import { stillLoading } from '../models/registry.js'
import type { ModelRegistry, RegisteredModel } from '../models/registry.js'

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

  private detectorOf(check: Check, policy: CheckPolicy): Detector | undefined {
    const models = this.registry.detectorsOf(policy)
    const detectors = models.map((model) => model && (this.registry.serviceOf(check, model) ?? notLoaded))
    if (!policy.detectors) return detectors[0]
    const parts = policy.detectors.map(({ threshold }, at) => ({ detector: detectors[at], threshold }))
    return combinedDetector(check.name, parts, policy)
  }

  /** Who has failed; undefined where one of several has, and it was not its own code that said so. */
  private originOf(error: unknown, policy: CheckPolicy): ErrorOrigin | undefined {
    const [first, ...others] = this.registry.detectorsOf(policy)
    const only = first && !others.length ? { plugin: first.plugin, model: first.id } : undefined
    return (error instanceof Error && originOf(error)) || only
  }
}

/** Stands for a detector that the configuration has and that cannot be asked now. */
const notLoaded: Detector = {
  inspect: () => Promise.reject(stillLoading()),
}
