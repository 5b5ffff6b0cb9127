/** Which checks hold for one call: the operator's policies joined with what the caller adds. */

import type {
  CallerCheck,
  CallerPiiCheck,
  CallerPolicyEntry,
  CallerSafeguards,
  CheckPolicy,
  FactualityPolicy,
  PiiPolicy,
  Policy,
} from '@sallyport/core'

/** Nothing is checked. */
export const noChecks: Policy = { name: 'none', input: {}, output: {} }

/** A check in shadow mode neither blocks nor relaxes: where one is enforced, that one holds as it is. */
const joinCheck = <Check extends CheckPolicy>(a: Check, b: Check): Check => {
  if (a.mode !== b.mode) return a.mode === 'enforce' ? a : b
  return {
    ...a,
    onFailure: a.onFailure === 'block' ? 'block' : b.onFailure,
    threshold: Math.min(a.threshold, b.threshold),
    ...(a.window === 'answer' || b.window === 'answer' ? { window: 'answer' } : {}),
  }
}

const joinPii = (a: PiiPolicy, b: PiiPolicy): PiiPolicy => {
  const joined = joinCheck(a, b)
  if (a.mode !== b.mode) return joined
  return {
    ...joined,
    action: a.action === 'block' ? 'block' : b.action,
    ignore: a.ignore.filter((type) => b.ignore.includes(type)),
  }
}

const joinFactuality = (a: FactualityPolicy, b: FactualityPolicy): FactualityPolicy => {
  const joined = joinCheck(a, b)
  const blocks = a.mode === b.mode && [a, b].some(({ unreferenced }) => unreferenced === 'block')
  return blocks ? { ...joined, unreferenced: 'block' } : joined
}

const join = <Check>(a: Check | undefined, b: Check | undefined, both: (a: Check, b: Check) => Check) =>
  a === undefined ? b : b === undefined ? a : both(a, b)

const present = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>
  }

/** The strictest of both, check by check; where both replace, the first one's method holds. */
export const joinPolicies = (a: Policy, b: Policy): Policy => ({
  name: a === noChecks ? b.name : b === noChecks ? a.name : `${a.name}+${b.name}`,
  input: present({
    injection: join(a.input.injection, b.input.injection, joinCheck),
    pii: join(a.input.pii, b.input.pii, joinPii),
  }),
  output: present({
    injection: join(a.output.injection, b.output.injection, joinCheck),
    pii: join(a.output.pii, b.output.pii, joinPii),
    toxicity: join(a.output.toxicity, b.output.toxicity, joinCheck),
    factuality: join(a.output.factuality, b.output.factuality, joinFactuality),
  }),
})

/** A caller cannot ask for less than enforcement, nor for a check that passes when it fails. */
const strict = { mode: 'enforce', onFailure: 'block' } as const

/** What the caller asks for, as a policy: the checks are those that the configuration has for callers. */
export const callerPolicy = (wishes: CallerSafeguards, template: CallerPolicyEntry): Policy => {
  const check = (wanted: boolean | undefined, from: CallerCheck) => (wanted ? { ...from, ...strict } : undefined)
  const pii = (from: CallerPiiCheck) =>
    wishes.pii && {
      ...from,
      ...strict,
      action: wishes.pii,
      method: wishes.piiReplaceMethod ?? from.method,
      ignore: wishes.entityList ?? [],
    }
  const { stage = 'input' } = wishes
  const staged = { injection: check(wishes.injection, template[stage].injection), pii: pii(template[stage].pii) }
  return {
    name: 'caller',
    input: present(stage === 'input' ? staged : {}),
    output: present({
      ...(stage === 'output' ? staged : {}),
      toxicity: check(wishes.toxicity, template.output.toxicity),
      factuality: check(wishes.factuality, template.output.factuality),
    }),
  }
}

/** True when no check of the policy would run. */
export const isEmpty = ({ input, output }: Policy): boolean =>
  Object.keys(input).length === 0 && Object.keys(output).length === 0

/** Those of one mode. */
export const inMode = <Checks extends Policy['input'] | Policy['output']>(
  mode: CheckPolicy['mode'],
  checks: Checks,
): Checks => Object.fromEntries(Object.entries(checks).filter(([, check]) => check.mode === mode)) as Checks

/** Whether nothing may pass that one of these checks cannot look at. */
export const blocksOnFailure = (checks: Policy['output']): boolean =>
  Object.values(checks).some(({ mode, onFailure }: CheckPolicy) => mode === 'enforce' && onFailure === 'block')
