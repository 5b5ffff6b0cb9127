/** Resolves which policies apply to a call, and which detectors enforce them. */

import { failure, loggable, originOf } from '@sallyport/core'
import type { Call, CallOptions, Capability, ErrorOrigin, Logger, Detector } from '@sallyport/core'
import type { Check, PolicyEntry, PolicyEntries, Config, Policy } from '@sallyport/core'
import { activeCheck, callerChecks, validateRequestedChecks, combinedDetector, joinPolicies } from '@sallyport/guard'
import { InspectionCache, noActiveChecks, Progress } from '@sallyport/guard'
import type { ActiveCheck, ActiveChecks, GuardContext } from '@sallyport/guard'
import { isInspecting } from '../calls/inspecting.js'
import type { ModelRegistry, RegisteredModel } from '../models/registry.js'
import { verdictRecorder } from '../telemetry.js'
import type { ShadowScores } from './shadow-scores.js'

/** The name of the policy that applies to models that name none, if the configuration has one of this name. */
export const defaultPolicy = 'default'

export class PolicyResolver {
  private readonly progress = new Progress()
  private readonly cache = new InspectionCache()

  constructor(
    private readonly config: Config,
    private readonly checks: ReadonlyMap<string, Check>,
    private readonly registry: ModelRegistry,
    private readonly logger: Logger,
    private readonly scores: ShadowScores | undefined,
  ) {}

  get names(): ReadonlySet<string> {
    return new Set(Object.keys(this.config.policies))
  }

  /** The context of the chain for one call of a model. */
  contextFor(model: RegisteredModel, options: CallOptions, call: Call): GuardContext {
    const { requestId } = call
    const record = verdictRecorder(call)
    return {
      checks: isInspecting(call) ? noActiveChecks : this.checksFor(model, options),
      progress: this.progress,
      cache: this.cache,
      vault: options.vault,
      remoteTools: options.remoteTools,
      onInputPassed: options.onInputPassed,
      onVerdict: (verdict) => {
        const level = verdict.verdict === 'pass' ? 'debug' : 'info'
        // The log gets no positions: these are for the caller alone.
        const { spans, order, ...logged } = verdict
        this.logger[level](
          { requestId, model: model.id, ...logged, ...(spans && { spanCount: spans.length }) },
          'check finished',
        )
        // The calls of one request share its vault.
        this.scores?.add(verdict, options.vault ?? call)
        record(verdict)
        options.onVerdict?.(verdict)
      },
      onBlockedPart: (name) =>
        this.logger.warn(
          { requestId, model: model.id, name },
          'a tool or tool server was left out of the listing: a check blocks its description',
        ),
      onFailure: ({ name: check, entry }, error) => {
        const { plugin, model: detector } = this.failedDetector(error, entry) ?? {}
        this.logger.error({ requestId, model: model.id, check, plugin, detector, error }, 'a detector failed')
      },
    }
  }

  /** The models that a call uses: the one that it asks, and the detectors of the checks around it. */
  modelsFor(
    { guarded }: Capability,
    model: RegisteredModel,
    options: CallOptions,
    call: Call,
  ): readonly RegisteredModel[] {
    if (guarded !== true || isInspecting(call)) return [model]
    const { input, output } = this.checksFor(model, options)
    return [model, ...[...input, ...output].flatMap(({ entry }) => this.detectorsOf(entry))]
  }

  /** The models that some policy uses as detectors. */
  get detectors(): ReadonlySet<RegisteredModel> {
    const entries = Object.values(this.config.policies).flatMap(({ input, output }) =>
      [input, output].flatMap((stage) => Object.values(stage)),
    )
    return new Set(entries.flatMap((entry) => this.detectorsOf(entry)))
  }

  detectorsOf(entry: PolicyEntry): readonly RegisteredModel[] {
    return this.registry.detectorsOf(entry).filter((model) => model !== undefined)
  }

  /** A check of a policy with the detector that it asks. */
  active(name: string, entry: PolicyEntry, policy?: string): ActiveCheck {
    const check = this.checks.get(entry.check)
    // Reading the configuration has refused entries with unknown checks.
    if (!check) throw failure('internal', {}, { cause: loggable(new TypeError(`unknown check ${entry.check}`)) })
    return activeCheck(name, check, entry, this.detectorOf(check, entry), policy)
  }

  private checksFor(model: RegisteredModel, { safeguards, policies = [] }: CallOptions): ActiveChecks {
    const { callerPolicy } = this.config
    const name = model.policy ?? (this.names.has(defaultPolicy) ? defaultPolicy : undefined)
    const names = new Set(name === undefined ? policies : [name, ...policies])
    const operator = [...names].map((one) => this.policy(one)).reduce(joinPolicies, noActiveChecks)
    if (safeguards === undefined) return operator
    const requestedChecks = validateRequestedChecks(safeguards, callerPolicy, this.checks)
    return joinPolicies(operator, this.activeOf(callerChecks(requestedChecks, callerPolicy)))
  }

  private policy(name: string): ActiveChecks {
    const policy = this.names.has(name) ? this.config.policies[name] : undefined
    // An unknown policy must not mean that nothing is checked.
    if (!policy) throw failure('safeguard_unavailable', { name: `policy ${name}` })
    return this.activeOf(policy, name)
  }

  /** @param policyName absent for what a caller requests */
  private activeOf({ input, output }: Policy, policyName?: string): ActiveChecks {
    const inOrder = (checks: PolicyEntries) =>
      Object.entries(checks)
        .map(([name, entry]) => this.active(name, entry, policyName))
        .sort((one, other) => one.definition.order - other.definition.order)
    return { input: inOrder(input), output: inOrder(output) }
  }

  private detectorOf(check: Check, entry: PolicyEntry): Detector | undefined {
    const models = this.registry.detectorsOf(entry)
    const detectors = models.map((model) => model && this.registry.serviceOf(check, model))
    if (!entry.detectors) return detectors[0]
    const parts = entry.detectors.map(({ threshold }, at) => ({ detector: detectors[at], threshold }))
    return combinedDetector(check.name, parts, entry)
  }

  /** The plugin and model that failed, where they are known. */
  private failedDetector(error: unknown, entry: PolicyEntry): ErrorOrigin | undefined {
    const [first, ...others] = this.registry.detectorsOf(entry)
    const only = first && !others.length ? { plugin: first.plugin, model: first.id } : undefined
    return (error instanceof Error && originOf(error)) || only
  }
}
