/** Runs single checks on texts, for `Kernel.inspect`. */

import { failure, isSallyportError, stages } from '@sallyport/core'
import type {
  Call,
  Check,
  CheckDescription,
  PolicyEntry,
  Config,
  Inspected,
  Inspection,
  InspectionRequest,
  InspectOptions,
} from '@sallyport/core'
import { findsSpans, inspectText, replaceInText } from '@sallyport/guard'
import type { ActiveCheck } from '@sallyport/guard'
import { untilAborted } from '@sallyport/kit/async'
import { didYouMean } from '@sallyport/kit/text'
import type { CallTracker } from '../calls/tracker.js'
import type { PolicyResolver } from './policies.js'
import type { Acquire, ModelRegistry } from '../models/registry.js'
import type { Release } from '../models/residency.js'
import { ObservedCall } from '../telemetry.js'
import { checkInspectOptions, validRequest } from '../calls/requests.js'

interface InspectionContext {
  readonly config: Config
  readonly checks: ReadonlyMap<string, Check>
  readonly registry: ModelRegistry
  readonly policies: PolicyResolver
  readonly calls: CallTracker
  readonly acquire: Acquire
}

export class Inspections {
  readonly descriptions: ReadonlyMap<string, CheckDescription>

  constructor(private readonly context: InspectionContext) {
    this.descriptions = descriptionsOf(context)
  }

  /** @throws as `Kernel.inspect` says */
  async inspect(name: string, text: string, options: InspectOptions): Promise<Inspected> {
    checkInspectOptions(options)
    const { registry, policies, calls } = this.context
    const { check, entry } = this.entry(name, options.policy)
    const request = requestOf(check, text, options)
    const named = registry.find(check, options.model)
    const complete = withOptions(entry, options)
    const { plugin, id: model } = policies.detectorsOf(complete)[0] ?? named
    const { call: opened, end } = calls.open(options)
    const observed = new ObservedCall(check.name, 'inspect', { plugin, model }, opened)
    const { call } = observed
    let release: Release | undefined
    try {
      release = await this.context.acquire(policies.detectorsOf(complete), call)
      const active = policies.active(name, complete)
      const inspected = await untilAborted(runCheck(active, request, options, call), call.signal)
      observed.succeed()
      return inspected
    } catch (error) {
      throw observed.fail(error)
    } finally {
      release?.()
      observed.end()
      end()
    }
  }

  /** @throws invalid_request */
  private entry(name: string, policy: string | undefined): ResolvedEntry {
    const found = entryOf(this.context, name, policy)
    if (found) return found
    const where = policy === undefined ? 'there is no check' : `the policy "${policy}" has no check`
    const problem = `${where} "${name}"${didYouMean(name, [...this.descriptions.keys()])}`
    throw failure('invalid_request', { field: 'check', problem })
  }
}

/** A check, and its entry in a policy. */
interface ResolvedEntry {
  readonly check: Check
  readonly entry: PolicyEntry
}

/**
 * The entry of a policy under this name, from its input or else its output; without a policy, the entry for callers.
 * @throws invalid_request for an unknown policy
 */
const entryOf = ({ config, checks }: CheckConfiguration, name: string, policy?: string): ResolvedEntry | undefined => {
  const { callerPolicy, policies } = config
  const entries = policy === undefined ? callerPolicy : policies[policy]
  if (!entries) {
    const problem = `there is no policy "${policy}"${didYouMean(policy ?? '', Object.keys(policies))}`
    throw failure('invalid_request', { field: 'policy', problem })
  }
  const configuredEntry = entries.input[name] ?? entries.output[name]
  const check = checks.get(configuredEntry?.check ?? name)
  if (!check) return undefined
  if (configuredEntry) return { check, entry: configuredEntry }
  return policy === undefined ? { check, entry: defaultEntry(check) } : undefined
}

type CheckConfiguration = Pick<InspectionContext, 'config' | 'checks'>

/**
 * The entry of a check that has none in `callerPolicy`, since it requires options that the configuration lacks: `input`
 * and `output` of requests cannot name it, but `inspect` can, with the options.
 */
const defaultEntry = ({ name, check: { threshold = 0.5 } }: Check): PolicyEntry => ({
  ...{ check: name, mode: 'enforce', onFailure: 'block', threshold, budget: 5000 },
})

/** @throws invalid_request with the field */
const requestOf = (check: Check, text: string, { origin, reference, replace }: InspectOptions): InspectionRequest => {
  const { methods: replaceMethods = [] } = check.check
  if (replace !== undefined && !replaceMethods.includes(replace)) {
    const problem = replaceMethods.length
      ? `must be one of ${replaceMethods.join(', ')}`
      : `must be absent: ${check.name} replaces nothing`
    throw failure('invalid_request', { field: 'replace', problem })
  }
  const request = { text, ...(origin && { origin }), ...(reference === undefined ? {} : { reference }) }
  return check.methods['inspect'] ? (validRequest(check.methods['inspect'], request) as InspectionRequest) : request
}

const runCheck = async (
  check: ActiveCheck,
  request: InspectionRequest,
  { replace }: InspectOptions,
  call: Call,
): Promise<Inspected> => {
  if (replace !== undefined) {
    const replaced = await replaceInText(check, request, call).catch(throwCause)
    return { ...emptyInspection, flagged: replaced !== request.text, replaced }
  }
  const inspection = await inspectText(check, request, call)
  return { ...inspection, flagged: isFlagged(check, inspection) }
}

const emptyInspection = { findings: [], score: 0, explanation: '', detector: '', latency: 0 }

/** Throws the detector's own error instead of the chain's `safeguard_unavailable`. */
const throwCause = (error: unknown): never => {
  throw isSallyportError(error) && error.code === 'safeguard_unavailable' ? (error.cause ?? error) : error
}

const isFlagged = (check: ActiveCheck, { score, findings }: Inspection): boolean => {
  const { threshold } = check.entry
  return findsSpans(check) ? findings.some((finding) => !(finding.score < threshold)) : !(score < threshold)
}

const withOptions = (entry: PolicyEntry, { model, ignore, replace, options }: InspectOptions): PolicyEntry => ({
  ...entry,
  ...(model === undefined ? {} : { detectors: [detectorNamed(model, entry)] }),
  ...(ignore ? { ignore } : {}),
  ...(replace === undefined ? {} : { method: replace }),
  ...(options ? { options: { ...entry.options, ...options } } : {}),
})

const detectorNamed = (model: string, { detectors = [], threshold }: PolicyEntry) =>
  detectors.find((detector) => detector.model === model) ?? { model, threshold }

const descriptionsOf = (context: CheckConfiguration): ReadonlyMap<string, CheckDescription> => {
  const { input, output } = context.config.callerPolicy
  const names = new Set([...Object.keys(input), ...Object.keys(output), ...context.checks.keys()])
  const descriptions = Array.from(names, (name) => describe(name, context)).flat()
  return new Map(descriptions.sort((one, other) => one.order - other.order).map((one) => [one.name, one]))
}

const describe = (name: string, context: CheckConfiguration): CheckDescription[] => {
  const resolved = entryOf(context, name)
  if (!resolved) return []
  const {
    entry,
    check: { check },
  } = resolved
  const { callerPolicy } = context.config
  const configuredStages = stages.filter((stage) => callerPolicy[stage][name])
  return [
    {
      name,
      check: entry.check,
      kind: check.kind,
      stages: Object.fromEntries(configuredStages.map((stage) => [stage, check.stages[stage] ?? ''])),
      order: check.order,
      message: check.message,
      threshold: entry.threshold,
      methods: check.methods ?? [],
      required: configuredStages.length ? [] : (check.required ?? []),
      options: check.options ?? {},
      ...(entry.detectors && { detectors: entry.detectors.map(({ model }) => model) }),
    },
  ]
}
