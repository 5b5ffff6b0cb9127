/** Which policy holds for a call, and which detectors enforce it. */

import { failure } from '@sallyport/core'
import type { Call, Capability, Config, PolicyEntry, Policy, CallOptions, Logger } from '@sallyport/core'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { Progress, callerPolicy, joinPolicies, noChecks, InspectionMemory } from '@sallyport/guard'
import type { Detectors, GuardContext } from '@sallyport/guard'
import { stillLoading } from './registry.js'
import type { ModelRegistry, RegisteredModel } from './registry.js'

/** The policy of models that name none, where the configuration has one of this name. */
export const defaultPolicy = 'default'

export class PolicyBook {
  private readonly byName: ReadonlyMap<string, Policy>
  private readonly progress = new Progress()
  private readonly memory = new InspectionMemory()

  constructor(
    private readonly config: Config,
    private readonly registry: ModelRegistry,
    private readonly logger: Logger,
  ) {
    this.byName = new Map(Object.entries(config.policies).map(([name, entry]) => [name, named(name, entry)]))
  }

  get names(): ReadonlySet<string> {
    return new Set(this.byName.keys())
  }

  /** What the chain needs for one call of a model. */
  contextFor(model: RegisteredModel, options: CallOptions, call: Call): GuardContext {
    const { requestId } = call
    return {
      policy: this.policyFor(model, options),
      detectors: this.detectors,
      progress: this.progress,
      memory: this.memory,
      onInputPassed: options.onInputPassed,
      onVerdict: (verdict) => {
        const level = verdict.verdict === 'pass' ? 'debug' : 'info'
        // Where something stands is for the caller alone.
        const { spans, ...logged } = verdict
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
      onFailure: (check, err) => {
        const [detector] = this.registry.all.filter(({ services }) => services.has(check))
        const fields = { requestId, model: model.id, check, ...(detector && { plugin: detector.plugin }) }
        this.logger.error({ ...fields, error: err }, 'safeguard failed')
      },
    }
  }

  private policyFor(model: RegisteredModel, { safeguards, policies = [] }: CallOptions): Policy {
    const name = model.policy ?? (this.byName.has(defaultPolicy) ? defaultPolicy : undefined)
    const names = new Set(name === undefined ? policies : [name, ...policies])
    const operator = [...names].map((one) => this.policy(one)).reduce(joinPolicies, noChecks)
    return safeguards ? joinPolicies(operator, callerPolicy(safeguards, this.config.callerPolicy)) : operator
  }

  private policy(name: string): Policy {
    const policy = this.byName.get(name)
    // A policy that is gone must not mean that nothing is checked.
    if (!policy) throw failure('safeguard_unavailable', { name: `policy ${name}` })
    return policy
  }

  private get detectors(): Detectors {
    return {
      injection: this.detector(injection),
      pii: this.detector(pii),
      toxicity: this.detector(toxicity),
      factuality: this.detector(factuality),
    }
  }

  private detector<Service extends object>(capability: Capability<Service>): Service | undefined {
    const [model] = this.registry.providing(capability)
    return model && (this.registry.serviceOf(capability, model) ?? (notLoaded as Service))
  }
}

/** Stands for a detector that the configuration has and that cannot be asked now. */
const notLoaded: object = {
  inspect: () => Promise.reject(stillLoading()),
}

const named = (name: string, { input, output }: PolicyEntry): Policy => ({ name, input, output })
