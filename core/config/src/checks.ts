/** The checks that plugins bring, and what policies say of them. */

import { isCheck, stages } from '@sallyport/core'
import type { Check, CheckPolicy, Checks, Config, PluginDefinition, PolicyEntry, Stage } from '@sallyport/core'
import { dictionary, isRecord } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { append } from '@sallyport/kit/lists'
import { compileSchema } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { didYouMean } from '@sallyport/kit/text'
import { declaredOnce } from './declared.js'
import { callerPolicySchema, commonOptions, policySchema } from './policy-schema.js'
import type { Entries } from './policy-schema.js'

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

const wrongDeclaration = ({ check: { stages: where, options = {}, required = [] } }: Check): string | undefined => {
  if (!stages.some((stage) => where[stage] !== undefined)) return 'has no stage'
  const taken = Object.keys(options).find((option) => commonOptions.includes(option))
  if (taken !== undefined) return `has an option "${taken}", which every check has: call it otherwise`
  const absent = required.flat().find((option) => !Object.hasOwn(options, option))
  return absent === undefined ? undefined : `requires an option "${absent}", which it does not have`
}

/** Those that may stand in a stage. */
const entriesOf = (checks: readonly Check[], stage: Stage): Map<string, Check> =>
  new Map(checks.flatMap((check) => (check.check.stages[stage] === undefined ? [] : [[check.name, check] as const])))

/** All checks under their own names, for the published schema. */
export const ownEntries = (checks: readonly Check[]): { readonly [Name in Stage]: Entries } => ({
  input: entriesOf(checks, 'input'),
  output: entriesOf(checks, 'output'),
})

/** With the entries that a configuration has under names of its own. */
const withNamed = (entries: Map<string, Check>, written: unknown): Entries => {
  const own = new Map(entries)
  for (const [name, entry] of Object.entries(isRecord(written) ? written : {})) {
    const check = isRecord(entry) && typeof entry['check'] === 'string' ? entries.get(entry['check']) : undefined
    if (check && !own.has(name)) own.set(name, check)
  }
  return own
}

export interface CheckedPolicies {
  readonly policies: Config['policies']
  readonly callerPolicy: PolicyEntry
  readonly problems: readonly Problem[]
}

/** The policies of a configuration with what the checks say of them: validated, with defaults. */
export const checkPolicies = (config: Config, checks: readonly Check[]): CheckedPolicies => {
  const problems: Problem[] = []
  const checked = (written: PolicyEntry, path: Path, forCallers: boolean): PolicyEntry => {
    const copy = structuredClone(written) as { [Name in Stage]: Record<string, unknown> }
    const entries = { input: new Map<string, Check>(), output: new Map<string, Check>() } as {
      [Name in Stage]: Entries
    }
    for (const stage of stages) {
      const known = entriesOf(checks, stage)
      entries[stage] = withNamed(known, copy[stage])
      append(problems, unknownEntries(copy[stage], entries[stage], known, checks, [...path, stage], stage))
    }
    const schema = forCallers ? callerPolicySchema(entries) : policySchema(entries)
    append(problems, compileSchema(schema)(copy, path))
    return {
      input: completed(copy.input, entries.input, forCallers),
      output: completed(copy.output, entries.output, forCallers),
    }
  }
  const policies = Object.entries(config.policies).map(([name, policy]) => {
    return [name, checked(policy, ['policies', name], false)] as const
  })
  return {
    policies: Object.freeze(dictionary(Object.fromEntries(policies))),
    callerPolicy: checked(config.callerPolicy, ['callerPolicy'], true),
    problems,
  }
}

/** Takes them out: the schema would call them unknown keys. */
const unknownEntries = (
  written: Record<string, unknown>,
  entries: Entries,
  known: Entries,
  checks: readonly Check[],
  path: Path,
  stage: Stage,
): Problem[] =>
  Object.keys(written)
    .filter((name) => !entries.has(name))
    .map((name) => {
      const entry = written[name]
      Reflect.deleteProperty(written, name)
      const asked = isRecord(entry) && typeof entry['check'] === 'string' ? entry['check'] : undefined
      const [at, check] = asked === undefined ? [[...path, name], name] : [[...path, name, 'check'], asked]
      const elsewhere = checks.find((one) => one.name === check)
      const problem = elsewhere
        ? `the check "${check}" looks at what ${stage === 'input' ? 'comes out' : 'goes in'} only`
        : `no loaded plugin brings a check "${check}"${didYouMean(check, [...known.keys()])}`
      return { path: at, ...(asked === undefined ? { part: 'key' as const } : {}), problem }
    })

/** As the kernel reads them: the check's own options apart from those of every check. */
const completed = (written: Record<string, unknown>, entries: Entries, forCallers: boolean): Checks =>
  Object.freeze(
    dictionary(
      Object.fromEntries(
        Object.entries(written).flatMap(([name, entry]) => {
          const check = entries.get(name)
          return check && isRecord(entry) ? [[name, asPolicy(check, entry, forCallers)] as const] : []
        }),
      ),
    ),
  )

/** Before detectors have their thresholds. */
type WrittenPolicy = Omit<CheckPolicy, 'detectors'> & {
  readonly detectors?: readonly { readonly model: string; readonly threshold?: number }[]
}

const asPolicy = ({ name, check }: Check, entry: Record<string, unknown>, forCallers: boolean): CheckPolicy => {
  const own = Object.entries(entry).filter(([option]) => Object.hasOwn(check.options ?? {}, option))
  const common = Object.entries(entry).filter(([option]) => !Object.hasOwn(check.options ?? {}, option))
  const { detectors, combine, ...rest } = Object.fromEntries(common) as unknown as WrittenPolicy
  return Object.freeze({
    ...(forCallers ? { mode: 'enforce', onFailure: 'block' } : {}),
    ...rest,
    check: name,
    ...(detectors && {
      detectors: detectors.map(({ model, threshold = rest.threshold }) => ({ model, threshold })),
      ...(combine && { combine }),
    }),
    ...(own.length ? { options: Object.freeze(Object.fromEntries(own)) } : {}),
  })
}
