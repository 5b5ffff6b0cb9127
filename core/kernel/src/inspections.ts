/** Checks that are asked by themselves. */

import { cameFrom, failure, isSallyportError } from '@sallyport/core'
import type {
  Call,
  Check,
  CheckDescription,
  CheckPolicy,
  Config,
  Inspected,
  InspectOptions,
  Safeguard,
  Stage,
} from '@sallyport/core'
import { activeCheck, findsSpans, inspectText, replaceInText } from '@sallyport/guard'
import type { ActiveCheck } from '@sallyport/guard'
import { didYouMean } from '@sallyport/kit/text'
import type { CallTracker } from './calls.js'
import type { CheckBook } from './check-book.js'
import type { PolicyBook } from './policies.js'
import { stillLoading } from './registry.js'
import type { ModelRegistry } from './registry.js'

export interface InspectionParts {
  readonly config: Config
  readonly checks: CheckBook
  readonly registry: ModelRegistry
  readonly policies: PolicyBook
  readonly calls: CallTracker
}

export class Inspections {
  readonly descriptions: ReadonlyMap<string, CheckDescription>

  constructor(private readonly parts: InspectionParts) {
    this.descriptions = descriptionsOf(parts)
  }

  /** @throws as `Kernel.inspect` says */
  async inspect(name: string, text: string, options: InspectOptions): Promise<Inspected> {
    const { checks, config, calls } = this.parts
    const bare = checks.get(name)?.check
    const policy = entryOf(config, name) ?? (bare && bareEntry(bare))
    const check = policy && checks.get(policy.check)?.check
    if (!check) {
      const problem = `there is no check "${name}"${didYouMean(name, [...this.descriptions.keys()])}`
      throw failure('invalid_request', { field: 'check', problem })
    }
    const { call, end } = calls.open({ ...options, inspecting: true })
    try {
      return await this.inspectBy(this.active(name, check, asked(policy, options), options.model), text, options, call)
    } finally {
      end()
    }
  }

  private active(name: string, check: Check, policy: CheckPolicy, model: string | undefined): ActiveCheck {
    const { registry, policies } = this.parts
    if (policy.detectors && model === undefined) return policies.active(name, policy)
    const registered = registry.find(check, model)
    const service = registry.serviceOf(check, registered)
    if (!service) throw stillLoading()
    return activeCheck(name, check, policy, toldApart(service, { plugin: registered.plugin, model: registered.id }))
  }

  private async inspectBy(
    check: ActiveCheck,
    text: string,
    { origin, reference, replace }: InspectOptions,
    call: Call,
  ): Promise<Inspected> {
    if (replace !== undefined && findsSpans(check)) {
      const replaced = await replaceInText(check, text, call).catch(causeOf)
      const flagged = replaced !== text
      return { ...nothingTold, flagged, replaced }
    }
    const request = { text, ...(origin && { origin }), ...(reference === undefined ? {} : { reference }) }
    const inspection = await inspectText(check, request, call)
    return { ...inspection, flagged: isFlagged(check, inspection) }
  }
}

/** How callers have it, or else what a policy calls so. */
const entryOf = ({ callerPolicy, policies }: Config, name: string): CheckPolicy | undefined => {
  const entries = [callerPolicy, ...Object.values(policies)].flatMap(({ input, output }) => [input[name], output[name]])
  return entries.find((entry) => entry !== undefined)
}

/** Of a check that requests cannot ask for: the configuration does not give the options that it must have. */
const bareEntry = ({ name, check: { threshold = 0.5 } }: Check): CheckPolicy => ({
  ...{ check: name, mode: 'enforce', onFailure: 'block', threshold, budget: 5000 },
})

const nothingTold = { findings: [], score: 0, explanation: '', detector: '', latency: 0 }

/** What the detector threw, in the place of what the chain makes of it. */
const causeOf = (error: unknown): never => {
  throw isSallyportError(error) && error.code === 'safeguard_unavailable' ? (error.cause ?? error) : error
}

const isFlagged = (check: ActiveCheck, { score, findings }: Inspected | Omit<Inspected, 'flagged'>): boolean => {
  const { threshold } = check.policy
  return findsSpans(check) ? findings.some((finding) => !(finding.score < threshold)) : !(score < threshold)
}

const asked = (policy: CheckPolicy, { ignore, replace, options }: InspectOptions): CheckPolicy => ({
  ...policy,
  ...(ignore ? { ignore } : {}),
  ...(replace === undefined ? {} : { method: replace }),
  ...(options ? { options: { ...policy.options, ...options } } : {}),
})

/** Whose failures these are, for the log. */
const toldApart = <Service extends Safeguard>(service: Service, origin: { plugin: string; model: string }): Service =>
  new Proxy(service, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await (method as (...given: unknown[]) => Promise<unknown>).apply(target, args)
        } catch (error) {
          throw cameFrom(error, origin)
        }
      }
    },
  })

const descriptionsOf = ({ config, checks }: InspectionParts): ReadonlyMap<string, CheckDescription> => {
  const { input, output } = config.callerPolicy
  const names = new Set([...Object.keys(input), ...Object.keys(output)])
  const described = [...names].flatMap((name) => {
    const policy = input[name] ?? output[name]
    const brought = policy && checks.get(policy.check)
    return brought ? [describe(name, brought.check, policy, { input: input[name], output: output[name] })] : []
  })
  for (const [name, { check }] of checks)
    if (!names.has(name)) {
      const nowhere = { input: undefined, output: undefined }
      described.push({ ...describe(name, check, bareEntry(check), nowhere), required: check.check.required ?? [] })
    }
  return new Map(described.sort((one, other) => one.order - other.order).map((one) => [one.name, one]))
}

const describe = (
  name: string,
  { check }: Check,
  policy: CheckPolicy,
  entries: { readonly [Name in Stage]: CheckPolicy | undefined },
): CheckDescription => ({
  name,
  check: policy.check,
  kind: check.kind,
  stages: Object.fromEntries(
    (['input', 'output'] as const).flatMap((stage) => (entries[stage] ? [[stage, check.stages[stage] ?? '']] : [])),
  ),
  order: check.order,
  message: check.message,
  threshold: policy.threshold,
  methods: check.methods ?? [],
  required: [],
  options: check.options ?? {},
  ...(policy.detectors && { detectors: policy.detectors.map(({ model }) => model) }),
})
