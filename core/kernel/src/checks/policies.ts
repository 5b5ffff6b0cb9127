/** Resolves which policies apply to a call, and which detectors enforce them. */

import { failure, loggable, originOf } from '@sallyport/core'
import type { Call, CallOptions, ErrorOrigin, Logger, Detector } from '@sallyport/core'
import type { Check, CheckPolicy, Checks, Config, PolicyEntry } from '@sallyport/core'
import { activeCheck, callerChecks, validateRequestedChecks, combinedDetector, joinPolicies } from '@sallyport/guard'
import { InspectionMemory, noActiveChecks, Progress } from '@sallyport/guard'
import type { ActiveCheck, ActiveChecks, GuardContext } from '@sallyport/guard'
import { isInspecting } from '../calls/inspecting.js'
import { loadingError } from '../models/registry.js'
import type { ModelRegistry, RegisteredModel } from '../models/registry.js'

/** The name of the policy, if the configuration has it, of models that name none. */
export const defaultPolicy = 'default'

export class PolicyResolver {
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

  /** The context of the chain for one call of a model. */
  contextFor(model: RegisteredModel, options: CallOptions, call: Call): GuardContext {
    const { requestId } = call
    return {
      checks: isInspecting(call) ? noActiveChecks : this.checksFor(model, options),
      progress: this.progress,
      memory: this.memory,
      onInputPassed: options.onInputPassed,
      onVerdict: (verdict) => {
        const level = verdict.verdict === 'pass' ? 'debug' : 'info'
        // The log gets no positions: these are for the caller alone.
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
          'a check blocks the description of a tool or tool server: it is left out',
        ),
      onFailure: ({ name: check, policy }, error) => {
        const { plugin, model: detector } = this.originOf(error, policy) ?? {}
        this.logger.error({ requestId, model: model.id, check, plugin, detector, error }, 'safeguard failed')
      },
    }
  }

  /** A check of a policy with the detector that it asks. */
  active(name: string, policy: CheckPolicy): ActiveCheck {
    const check = this.checks.get(policy.check)
    // Reading the configuration has refused policies with unknown checks.
    if (!check) throw failure('internal', {}, { cause: loggable(new TypeError(`a policy has no check ${name}`)) })
    return activeCheck(name, check, policy, this.detectorOf(check, policy))
  }

  private checksFor(model: RegisteredModel, { safeguards, policies = [] }: CallOptions): ActiveChecks {
    const { callerPolicy } = this.config
    const name = model.policy ?? (this.names.has(defaultPolicy) ? defaultPolicy : undefined)
    const names = new Set(name === undefined ? policies : [name, ...policies])
    const operator = [...names].map((one) => this.policy(one)).reduce(joinPolicies, noActiveChecks)
    if (safeguards === undefined) return operator
    const wishes = validateRequestedChecks(safeguards, callerPolicy, this.checks)
    return joinPolicies(operator, this.activeOf(callerChecks(wishes, callerPolicy)))
  }

  private policy(name: string): ActiveChecks {
    const policy = this.names.has(name) ? this.config.policies[name] : undefined
    // An unknown policy must not mean that nothing is checked.
    if (!policy) throw failure('safeguard_unavailable', { name: `policy ${name}` })
    return this.activeOf(policy)
  }

  private activeOf({ input, output }: PolicyEntry): ActiveChecks {
    const inOrder = (checks: Checks) =>
      Object.entries(checks)
        .map(([name, policy]) => this.active(name, policy))
        .sort((one, other) => one.definition.order - other.definition.order)
    return { input: inOrder(input), output: inOrder(output) }
  }

  private detectorOf(check: Check, policy: CheckPolicy): Detector | undefined {
    const models = this.registry.detectorsOf(policy)
    const detectors = models.map((model) => model && (this.registry.serviceOf(check, model) ?? loadingDetector))
    if (!policy.detectors) return detectors[0]
    const parts = policy.detectors.map(({ threshold }, at) => ({ detector: detectors[at], threshold }))
    return combinedDetector(check.name, parts, policy)
  }

  /** The plugin and model that failed; undefined where one of several did and the error does not tell which. */
  private originOf(error: unknown, policy: CheckPolicy): ErrorOrigin | undefined {
    const [first, ...others] = this.registry.detectorsOf(policy)
    const only = first && !others.length ? { plugin: first.plugin, model: first.id } : undefined
    return (error instanceof Error && originOf(error)) || only
  }
}

/** Stands for a configured detector that is not loaded yet. */
const loadingDetector: Detector = {
  inspect: () => Promise.reject(loadingError()),
}
