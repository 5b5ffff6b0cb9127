/** The checks that plugins bring, and the policies that name them. */

import { isCheck, stages } from '@sallyport/core'
import type { Check, PolicyEntry, PolicyEntries, Config, PluginDefinition, Policy, Stage } from '@sallyport/core'
import { dictionary, isRecord } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { append } from '@sallyport/kit/lists'
import { compileSchema } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { didYouMean, nearest } from '@sallyport/kit/text'
import { uniqueCapabilities } from './unique-capabilities.js'
import { commonOptions, policySchema, replaceMethods, restorableMethodsOf } from './policy-schema.js'
import type { Entries, PolicyAudience } from './policy-schema.js'

/** The checks that plugins provide, in the order of the chain. @throws plugin_invalid for an invalid or ambiguous one */
export const checksOf = (definitions: readonly PluginDefinition[]): ReadonlyMap<string, Check> => {
  const checks = uniqueCapabilities<Check>(definitions, {
    noun: 'check',
    includes: isCheck,
    declaration: ({ check }) => check,
    problemOf: declarationProblem,
  })
  const inOrder = checks.toSorted((one, other) => one.check.order - other.check.order)
  return new Map(inOrder.map((check) => [check.name, check]))
}

const declarationProblem = ({ check }: Check): string | undefined => {
  const { stages: where, methods = [], options = {}, required = [] } = check
  if (!stages.some((stage) => where[stage] !== undefined)) return 'has no stage'
  const unknown = methods.find((method) => !replaceMethods.includes(method))
  if (unknown !== undefined) return `replaces by no method "${unknown}"${didYouMean(unknown, replaceMethods)}`
  const taken = Object.keys(options).find((option) => commonOptions.includes(option))
  if (taken !== undefined) return `has an option "${taken}", which every check has: call it otherwise`
  const absent = required.flat().find((option) => !Object.hasOwn(options, option))
  return absent === undefined ? undefined : `requires an option "${absent}", which it does not have`
}

/** The checks of each stage under their own names. */
export const ownEntries = (checks: readonly Check[]): Readonly<Record<Stage, Entries>> => {
  const entriesOf = (stage: Stage): Entries =>
    new Map(checks.filter(({ check }) => check.stages[stage] !== undefined).map((check) => [check.name, check]))
  return { input: entriesOf('input'), output: entriesOf('output') }
}

/** Adds entries under names of the operator's, which say with `check` which check they are. */
const addNamedEntries = (entries: Entries, written: WrittenEntries): Entries => {
  const own = new Map(entries)
  for (const [name, entry] of Object.entries(written)) {
    const check = entries.get(checkNameOf(entry) ?? '')
    if (check && !own.has(name)) own.set(name, check)
  }
  return own
}

/** The entries of a stage as the configuration file has them. */
type WrittenEntries = Record<string, unknown>

/** The name of the check that an entry gives under `check`. */
const checkNameOf = (entry: unknown): string | undefined =>
  isRecord(entry) && typeof entry['check'] === 'string' ? entry['check'] : undefined

interface CheckedPolicies {
  readonly policies: Config['policies']
  readonly callerPolicy: Policy
  readonly problems: readonly Problem[]
}

/** Validates policies and fills in defaults. @param notLoaded installed plugins by their checks' names, for messages */
export const checkPolicies = (
  config: Config,
  checks: readonly Check[],
  notLoaded: ReadonlyMap<string, string>,
): CheckedPolicies => {
  const problems: Problem[] = []
  const own = ownEntries(checks)
  const checked = (written: Policy, path: Path, audience: PolicyAudience): Policy => {
    const copy = structuredClone(written) as Record<Stage, WrittenEntries>
    const entries = { input: addNamedEntries(own.input, copy.input), output: addNamedEntries(own.output, copy.output) }
    for (const stage of stages) {
      const inside = [...path, stage]
      append(problems, unknownEntries(copy[stage], entries[stage], { checks, known: own[stage], notLoaded }, inside))
      if (audience === 'models') append(problems, methodsWithoutReplace(copy[stage], inside))
      append(problems, unrestorable(copy[stage], entries[stage], { stage, audience }, inside))
    }
    append(problems, compileSchema(policySchema(entries, audience))(copy, path))
    const entriesOf = (stage: Stage) => entriesFrom(copy[stage], entries[stage], audience)
    return { input: entriesOf('input'), output: entriesOf('output') }
  }
  const policies = Object.entries(config.policies).map(
    ([name, policy]) => [name, checked(policy, ['policies', name], 'models')] as const,
  )
  return {
    policies: Object.freeze(dictionary(Object.fromEntries(policies))),
    callerPolicy: checked(config.callerPolicy, ['callerPolicy'], 'callers'),
    problems,
  }
}

interface KnownChecks {
  readonly checks: readonly Check[]
  /** The entries that the stage may have. */
  readonly known: Entries
  readonly notLoaded: ReadonlyMap<string, string>
}

/** Removes entries of unknown checks and reports them; the schema would only call them unknown keys. */
const unknownEntries = (written: WrittenEntries, entries: Entries, known: KnownChecks, path: Path): Problem[] =>
  Object.keys(written)
    .filter((name) => !entries.has(name))
    .map((name) => {
      const check = checkNameOf(written[name])
      Reflect.deleteProperty(written, name)
      return check === undefined
        ? { path: [...path, name], part: 'key', problem: unknownCheckProblem(name, known, nameHint) }
        : { path: [...path, name, 'check'], problem: unknownCheckProblem(check, known) }
    })

const nameHint = '; an entry under a name of your own says which it is: check: <name>'

/** @param otherwise the end of the message where no check has a similar name */
const unknownCheckProblem = (name: string, { checks, known, notLoaded }: KnownChecks, otherwise = ''): string => {
  const other = checks.find((check) => check.name === name)
  if (other) return `the check "${name}" looks at what ${other.check.stages.input ? 'goes in' : 'comes out'} only`
  const plugin = notLoaded.get(name)
  const names = [...known.keys()]
  const isNear = plugin !== undefined || nearest(name, names) !== undefined
  const meant = plugin === undefined ? didYouMean(name, names) : `: add "${plugin}", which has it, to plugins`
  return `no loaded plugin brings a check "${name}"${meant}${isNear ? '' : otherwise}`
}

/** An entry with a method and no action would block, although its author wants findings replaced. */
const methodsWithoutReplace = (written: WrittenEntries, path: Path): Problem[] =>
  Object.entries(written)
    .filter(([, entry]) => isRecord(entry) && entry['method'] !== undefined && entry['action'] === undefined)
    .map(([name]) => ({
      path: [...path, name, 'method'],
      part: 'key',
      problem: 'is how a finding is replaced, and this entry blocks: add action: replace, or remove it',
    }))

/**
 * The entries that cannot put back what they replace. The others get a method that can, where they have none.
 */
const unrestorable = (
  written: WrittenEntries,
  entries: Entries,
  { stage, audience }: { readonly stage: Stage; readonly audience: PolicyAudience },
  path: Path,
): Problem[] =>
  Object.entries(written).flatMap(([name, entry]): Problem[] => {
    const check = entries.get(name)
    if (!check || !isRecord(entry) || entry['restore'] === undefined || entry['restore'] === false) return []
    const methods = restorableMethodsOf(check, stage)
    const problem = restoreProblem(entry, methods, audience)
    entry['method'] ??= methods[0]
    if (!methods.length) Reflect.deleteProperty(entry, 'restore')
    return problem === undefined ? [] : [{ path: [...path, name, 'restore'], part: 'key', problem }]
  })

const restoreProblem = (
  { action, method }: Readonly<Record<string, unknown>>,
  methods: readonly string[],
  audience: PolicyAudience,
): string | undefined => {
  if (!methods.length)
    return 'puts back what this check has replaced in requests, and here it replaces nothing: remove it'
  if (audience === 'models' && action !== 'replace')
    return 'puts back what was replaced, and this entry blocks: add action: replace, or remove it'
  // The schema refuses what is no method at all.
  const other = replaceMethods.find((known) => known === method && !methods.includes(known))
  const fitting = methods.map((one) => `method: ${one}`).join(' or ')
  return other && `cannot put back what the method ${other} replaces: take ${fitting}, or remove it`
}

/** Entries as the kernel reads them: a check's own options apart from those that every check has. */
const entriesFrom = (written: WrittenEntries, entries: Entries, audience: PolicyAudience): PolicyEntries => {
  const policies = Object.entries(written).flatMap(([name, entry]) => {
    const check = entries.get(name)
    return check && isRecord(entry) ? [[name, toPolicyEntry(check, entry, audience)] as const] : []
  })
  return Object.freeze(dictionary(Object.fromEntries(policies)))
}

/** An entry whose detectors do not have their thresholds yet. */
type WrittenPolicy = Omit<PolicyEntry, 'detectors'> & {
  readonly detectors?: readonly { readonly model: string; readonly threshold?: number }[]
}

const toPolicyEntry = ({ name, check }: Check, entry: WrittenEntries, audience: PolicyAudience): PolicyEntry => {
  const isOwn = ([option]: readonly [string, unknown]) => Object.hasOwn(check.options ?? {}, option)
  const own = Object.entries(entry).filter(isOwn)
  const common = Object.entries(entry).filter((option) => !isOwn(option))
  const { detectors, combine, ...rest } = Object.fromEntries(common) as unknown as WrittenPolicy
  return Object.freeze({
    ...(audience === 'callers' ? { mode: 'enforce', onFailure: 'block' } : {}),
    ...rest,
    check: name,
    ...(detectors && {
      detectors: detectors.map(({ model, threshold = rest.threshold }) => ({ model, threshold })),
      ...(combine && { combine }),
    }),
    ...(own.length ? { options: Object.freeze(Object.fromEntries(own)) } : {}),
  })
}
