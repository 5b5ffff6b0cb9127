/** Every policy with one check, made of the schema of configurations. */

import { composeSchema } from '@sallyport/config'
import reference from '@sallyport/testing/reference'
import { expect } from 'chai'
import type { Schema } from '../../src/schemas/schema.js'
import { leavesOf } from './leaves.js'

export interface WalkedPolicy {
  readonly name: string
  readonly stage: 'input' | 'output'
  readonly check: string
  /** What is heard of a text that is blocked; undefined where it is replaced. */
  readonly verdict: string | undefined
  /** For the configuration; absent where the caller asks for it. */
  readonly config?: object
  /** For the body of a request. */
  readonly wish?: object
  /** For its headers. */
  readonly headers?: Record<string, string>
}

const verdicts: Readonly<Record<string, string>> = {
  injection: 'prompt injection detected',
  pii: 'pii detected',
  toxicity: 'failed toxicity check',
  factuality: 'failed factuality check',
}

const verdictOf = (check: string, action: unknown): string | undefined => {
  const verdict = verdicts[check]
  expect(verdict, `the check ${check} is not known here`).to.be.a('string')
  return action === 'replace' ? undefined : verdict
}

interface OptionSchema extends Schema {
  readonly anyOf?: readonly OptionSchema[]
  readonly $ref?: string
}

const { properties: ofConfiguration, $defs } = composeSchema([{ use: 'checks', definition: reference }]) as {
  properties: { policies: { additionalProperties: OptionSchema } }
  $defs: Readonly<Record<string, OptionSchema>>
}

const omitUndefined = ($ref: string | undefined): readonly OptionSchema[] =>
  Object.entries($defs).flatMap(([name, schema]) => ($ref === `#/$defs/${name}` ? [schema] : []))

/** Members of a schema that has short forms, too. */
const membersOf = ({ properties, anyOf = [], $ref }: OptionSchema): Readonly<Record<string, OptionSchema>> =>
  properties ??
  [...anyOf, ...omitUndefined($ref)].map(membersOf).find((members) => Object.keys(members).length > 0) ??
  {}

const valuesOf = ({ enum: values, anyOf = [], $ref }: OptionSchema): readonly unknown[] | undefined =>
  values ?? [...anyOf, ...omitUndefined($ref)].map(valuesOf).find((inner) => inner !== undefined)

/** What makes a check another check; how much it takes, and what its failure does, are walked elsewhere. */
const varied = ['action', 'window']

const combinations = (check: OptionSchema): Record<string, unknown>[] =>
  varied.reduce<Record<string, unknown>[]>(
    (all, name) => {
      const values = valuesOf(membersOf(check)[name] ?? {})
      return values ? all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))) : all
    },
    [{}],
  )

/** Requests of the walk state nothing, so that no detector is asked: then nothing may leave, either. */
const grounded = { unreferenced: 'block' }

export const callerPolicy = { output: { factuality: grounded } }

export const operatorPolicies: readonly WalkedPolicy[] = (['input', 'output'] as const).flatMap((stage) =>
  Object.entries(membersOf(membersOf(ofConfiguration.policies.additionalProperties)[stage] ?? {})).flatMap(
    ([check, schema]) =>
      combinations(schema).map((options) => ({
        name: [stage, check, ...Object.values(options)].join('-'),
        stage,
        check,
        verdict: verdictOf(check, options['action']),
        config: { [stage]: { [check]: check === 'factuality' ? { ...options, ...grounded } : options } },
      })),
  ),
)

/** By the name of what a request asks with. */
const wishes: Readonly<Record<string, string>> = {
  block_prompt_injection: 'injection',
  pii: 'pii',
  toxicity: 'toxicity',
  factuality: 'factuality',
}

/** What callers may ask for in headers. */
export const headerPolicies: readonly WalkedPolicy[] = [
  { check: 'injection', header: 'Injection', value: 'true' },
  { check: 'toxicity', header: 'Toxicity', value: 'True' },
  { check: 'pii', header: 'Pii', value: 'block' },
  { check: 'pii', header: 'Pii', value: 'replace' },
].map(({ check, header, value }) => ({
  name: `the header ${header}: ${value} of a caller`,
  stage: 'output',
  check,
  verdict: verdictOf(check, value),
  headers: { [header]: value },
}))

/** Where a request says what it wants, and at which stage that is checked. */
const containers: readonly (readonly [string, WalkedPolicy['stage'], readonly string[]])[] = [
  ['input', 'input', Object.keys(wishes)],
  ['output', 'output', Object.keys(wishes)],
  ['safeguards', 'input', ['block_prompt_injection', 'pii']],
  ['safeguards', 'output', ['toxicity', 'factuality']],
]

/** What callers may ask for in requests of this schema. */
export const callerPolicies = (request: Schema): WalkedPolicy[] =>
  containers.flatMap(([container, stage, names]) => {
    const options = request.properties?.[container]
    if (!options?.properties || leavesOf(options).some(({ declared }) => declared === 'text')) return []
    return Object.entries(options.properties).flatMap(([name, { enum: values, type }]) => {
      const check = wishes[name]
      if (check === undefined || !names.includes(name)) return []
      return (values ?? (type === 'boolean' ? [true] : [])).map((value) => ({
        name: `${container}.${name}: ${String(value)} of a caller`,
        stage,
        check,
        verdict: verdictOf(check, value),
        wish: { [container]: { [name]: value } },
      }))
    })
  })

/** For a configuration: also one that only reports. */
export const policyConfig = {
  ...Object.fromEntries(operatorPolicies.map(({ name, config }) => [name, config])),
  shadow: {
    input: { injection: { mode: 'shadow' }, pii: { mode: 'shadow' } },
    output: {
      injection: { mode: 'shadow' },
      pii: { mode: 'shadow' },
      toxicity: { mode: 'shadow' },
      factuality: { mode: 'shadow' },
    },
  },
}
