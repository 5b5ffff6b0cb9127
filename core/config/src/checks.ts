/** The checks that plugins bring, and what policies say of them. */

import { isCheck, stages } from '@sallyport/core'
import type { Check, CheckPolicy, Checks, Config, PluginDefinition, PolicyEntry, Stage } from '@sallyport/core'
import { dictionary, isRecord } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { append } from '@sallyport/kit/lists'
import { compileSchema } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { didYouMean, nearest } from '@sallyport/kit/text'
import { declaredOnce } from './declared.js'
import { commonOptions, policySchema, replaceMethods } from './policy-schema.js'
import type { Entries, PolicyOf } from './policy-schema.js'

/**
 * Those of the backends and the models of plugins, in the order of the chain.
 * @throws plugin_invalid where one is defined in two ways, or cannot be a check of a policy
 */
export const checksOf = (definitions: readonly PluginDefinition[]): ReadonlyMap<string, Check> => {
  const checks = declaredOnce<Check>(definitions, {
    noun: 'check',
    isNamed: isCheck,
    declaration: ({ check }) => check,
    problemOf: wrongDeclaration,
  })
  const inOrder = checks.toSorted((one, other) => one.check.order - other.check.order)
  return new Map(inOrder.map((check) => [check.name, check]))
}

const wrongDeclaration = ({ check }: Check): string | undefined => {
  const { stages: where, methods = [], options = {}, required = [] } = check
  if (!stages.some((stage) => where[stage] !== undefined)) return 'has no stage'
  const unknown = methods.find((method) => !replaceMethods.includes(method))
  if (unknown !== undefined) return `replaces by no method "${unknown}"${didYouMean(unknown, replaceMethods)}`
  const taken = Object.keys(options).find((option) => commonOptions.includes(option))
  if (taken !== undefined) return `has an option "${taken}", which every check has: call it otherwise`
  const absent = required.flat().find((option) => !Object.hasOwn(options, option))
  return absent === undefined ? undefined : `requires an option "${absent}", which it does not have`
}

/** Those that may stand in a stage. */
const entriesOf = (checks: readonly Check[], stage: Stage): Map<string, Check> =>
  new Map(checks.flatMap((check) => (check.check.stages[stage] === undefined ? [] : [[check.name, check] as const])))

/** All checks under their own names, for the published schema. */
export const ownEntries = (checks: readonly Check[]): Readonly<Record<Stage, Entries>> => ({
  input: entriesOf(checks, 'input'),
  output: entriesOf(checks, 'output'),
})

/** Adds the entries that a configuration has under names of its own. */
const withNamed = (entries: Entries, written: Written): Entries => {
  const own = new Map(entries)
  for (const [name, entry] of Object.entries(written)) {
    const check = entries.get(writtenCheck(entry) ?? '')
    if (check && !own.has(name)) own.set(name, check)
  }
  return own
}

/** Entries of a stage as a configuration has them. */
type Written = Record<string, unknown>

/** The check that an entry under a name of its own is of. */
const writtenCheck = (entry: unknown): string | undefined =>
  isRecord(entry) && typeof entry['check'] === 'string' ? entry['check'] : undefined

export interface CheckedPolicies {
  readonly policies: Config['policies']
  readonly callerPolicy: PolicyEntry
  readonly problems: readonly Problem[]
}

/**
 * The policies of a configuration with what the checks say of them: validated, with defaults.
 * @param elsewhere the plugins that have checks that are not loaded, for messages
 */
export const checkPolicies = (
  config: Config,
  checks: readonly Check[],
  elsewhere: ReadonlyMap<string, string>,
): CheckedPolicies => {
  const problems: Problem[] = []
  const own = ownEntries(checks)
  const checked = (written: PolicyEntry, path: Path, policyOf: PolicyOf): PolicyEntry => {
    const copy = structuredClone(written) as Record<Stage, Written>
    const entries = { input: withNamed(own.input, copy.input), output: withNamed(own.output, copy.output) }
    for (const stage of stages) {
      const inside = [...path, stage]
      append(problems, unknownEntries(copy[stage], entries[stage], { checks, known: own[stage], elsewhere }, inside))
      if (policyOf === 'models') append(problems, needlessMethods(copy[stage], inside))
    }
    append(problems, compileSchema(policySchema(entries, policyOf))(copy, path))
    return {
      input: completed(copy.input, entries.input, policyOf),
      output: completed(copy.output, entries.output, policyOf),
    }
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

interface Known {
  readonly checks: readonly Check[]
  /** Those of the stage. */
  readonly known: Entries
  readonly elsewhere: ReadonlyMap<string, string>
}

/** Takes them out: the schema would call them unknown keys. */
const unknownEntries = (written: Written, entries: Entries, known: Known, path: Path): Problem[] =>
  Object.keys(written)
    .filter((name) => !entries.has(name))
    .map((name) => {
      const check = writtenCheck(written[name])
      Reflect.deleteProperty(written, name)
      return check === undefined
        ? { path: [...path, name], part: 'key', problem: unknownCheck(name, known, hint) }
        : { path: [...path, name, 'check'], problem: unknownCheck(check, known) }
    })

const hint = '; an entry under a name of your own says which it is: check: <name>'

/** @param otherwise how a name that is none of a check could be meant */
const unknownCheck = (name: string, { checks, known, elsewhere }: Known, otherwise = ''): string => {
  const other = checks.find((check) => check.name === name)
  if (other) return `the check "${name}" looks at what ${other.check.stages.input ? 'goes in' : 'comes out'} only`
  const plugin = elsewhere.get(name)
  const names = [...known.keys()]
  const isNear = plugin !== undefined || nearest(name, names) !== undefined
  const meant = plugin === undefined ? didYouMean(name, names) : `: add "${plugin}", which has it, to plugins`
  return `no loaded plugin brings a check "${name}"${meant}${isNear ? '' : otherwise}`
}

/** Who writes a method means to have something replaced: by itself, the entry would block. */
const needlessMethods = (written: Written, path: Path): Problem[] =>
  Object.entries(written)
    .filter(([, entry]) => isRecord(entry) && entry['method'] !== undefined && entry['action'] === undefined)
    .map(([name]) => ({
      path: [...path, name, 'method'],
      part: 'key',
      problem: 'is how a finding is replaced, and this entry blocks: add action: replace, or remove it',
    }))

/** The kernel reads the check's own options apart from those of every check. */
const completed = (written: Written, entries: Entries, policyOf: PolicyOf): Checks => {
  const policies = Object.entries(written).flatMap(([name, entry]) => {
    const check = entries.get(name)
    return check && isRecord(entry) ? [[name, asPolicy(check, entry, policyOf)] as const] : []
  })
  return Object.freeze(dictionary(Object.fromEntries(policies)))
}

/** Before detectors have their thresholds. */
type WrittenPolicy = Omit<CheckPolicy, 'detectors'> & {
  readonly detectors?: readonly { readonly model: string; readonly threshold?: number }[]
}

const asPolicy = ({ name, check: { options = {} } }: Check, entry: Written, policyOf: PolicyOf): CheckPolicy => {
  const isOwn = ([option]: readonly [string, unknown]) => Object.hasOwn(options, option)
  const own = Object.entries(entry).filter(isOwn)
  const common = Object.entries(entry).filter((option) => !isOwn(option))
  const { detectors, combine, ...rest } = Object.fromEntries(common) as unknown as WrittenPolicy
  return Object.freeze({
    ...(policyOf === 'callers' ? { mode: 'enforce', onFailure: 'block' } : {}),
    ...rest,
    check: name,
    ...(detectors && {
      detectors: detectors.map(({ model, threshold = rest.threshold }) => ({ model, threshold })),
      ...(combine && { combine }),
    }),
    ...(own.length ? { options: Object.freeze(Object.fromEntries(own)) } : {}),
  })
}
