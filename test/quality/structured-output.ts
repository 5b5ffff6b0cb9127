/**
 * Measures the compiler of JSON Schemas for llama.cpp: how many schemas it holds whole, in part or not at all, whether
 * random texts of each grammar fit the schema (by Ajv), which share of fitting values llama.cpp accepts (of those
 * without keys that nobody declared, where properties are), and what compiling costs. Compares with
 * structured-output.json beside it (`--write` writes it), and fails where it got worse.
 */

import { alignColumns } from '@sallyport/kit/text'
import { isSallyportError } from '@sallyport/core'
import { randomNumbers } from '@sallyport/kit/numbers'
import { GrammarBuilder } from '@sallyport/llama-cpp/grammar'
import type { Grammar } from '@sallyport/llama-cpp/grammar'
import { GbnfSampler } from '@sallyport/stand-ins/gbnf'
import { loadGrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import { validatorOf, withoutKeywords } from '@sallyport/stand-ins/json-schema'
import { readRows } from './data.js'
import { compareOrWrite } from './table.js'

interface Case {
  readonly name: string
  readonly schema: unknown
  /** A value, and whether it fits. */
  readonly example?: { readonly value: unknown; readonly fits: boolean }
}

interface TestRow {
  readonly draft: string
  readonly group: string
  readonly test: string
  readonly schema: unknown
  readonly data: unknown
  readonly valid: boolean
}

interface ToolRow {
  readonly id: string
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[]
}

type Outcome = 'held' | 'partly' | 'refused' | 'unsound'

const samples = 50
const drafts: Readonly<Record<string, string>> = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const testCase = ({ draft, group, test, schema, data, valid }: TestRow): Case => ({
  name: `${group}: ${test}`,
  schema: isObject(schema) ? { $schema: drafts[draft], ...schema } : schema,
  example: { value: data, fits: valid },
})

const sets: readonly { readonly name: string; readonly cases: readonly Case[] }[] = [
  { name: 'test suite', cases: readRows<TestRow>('llm/json_schema_sample.jsonl').map(testCase) },
  { name: 'OpenAI', cases: readRows<Case>('llm/openai_schemas.jsonl') },
  {
    name: 'tools',
    cases: readRows<ToolRow>('llm/tool_calls.jsonl').flatMap(({ id, tools }) =>
      tools.map((tool) => ({ name: `${id} ${tool.function.name}`, schema: tool.function.parameters })),
    ),
  },
]

const engine = await loadGrammarEngine()
const showsAll = process.argv.includes('--show')

const compile = (schema: unknown, strict: boolean): Grammar => {
  const builder = new GrammarBuilder()
  return builder.build(builder.schema(schema, { field: 'schema', strict }))
}

const unread = new Set<string>()

/** Ajv cannot read all schemas: some references, and formats that it does not know. */
const validatorIfPossible = (schema: unknown, name: string): ((value: unknown) => boolean) => {
  try {
    return validatorOf(schema)
  } catch (error) {
    if (showsAll) console.log(`Ajv cannot read: ${name}: ${String(error).slice(0, 100)}`)
    unread.add(name)
    return () => true
  }
}

/** The first text of the grammar that does not fit what the schema says without the keywords that are not held. */
const counterexample = (
  { gbnf, unenforced }: Grammar,
  { name, schema }: Case,
  isCompatible: (text: string) => boolean,
): string | undefined => {
  const validate = validatorIfPossible(withoutKeywords(schema, unenforced), name)
  const sampler = new GbnfSampler(gbnf)
  const random = randomNumbers(1)
  for (let count = 0; count < samples; count += 1) {
    const text = sampler.sample(random)
    if (!validate(JSON.parse(text))) return text
    if (count < 3 && !isCompatible(text)) return text
  }
  return undefined
}

const tally = { fitting: 0, accepted: 0, wronglyAccepted: 0 }
const compiled = new Map<string, unknown[]>()
const sizes = new Map<string, number[]>()

/** Of the processor: other processes take no part of it. */
const millisecondsSince = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

const rounds = 10

/**
 * Of each schema the shortest of some rounds, in which all are compiled in turn: the first rounds are the work of the
 * JIT compiler, too. Nothing is kept from one compilation to the next but the patterns that stand in the code.
 */
const warmMilliseconds = (schemas: readonly unknown[]): readonly number[] => {
  const least = schemas.map(() => Infinity)
  for (let round = 0; round < rounds; round += 1)
    for (const [index, schema] of schemas.entries()) {
      const began = process.cpuUsage()
      compile(schema, false)
      least[index] = Math.min(least[index] ?? Infinity, millisecondsSince(began))
    }
  return least
}

const outcomeOf = (set: string, { name, schema, example }: Case, strict: boolean): Outcome => {
  let grammar
  try {
    grammar = compile(schema, strict)
  } catch (error) {
    if (!isSallyportError(error) || error.code !== 'invalid_request') throw error
    if (showsAll) console.log(`refused${strict ? '' : ' even if not strict'}: ${name}: ${error.message}`)
    return 'refused'
  }
  if (!strict) {
    compiled.set(set, [...(compiled.get(set) ?? []), schema])
    sizes.set(set, [...(sizes.get(set) ?? []), grammar.gbnf.length])
  }
  const isCompatible = engine.parse(grammar.gbnf)
  const wrong = counterexample(grammar, { name, schema }, isCompatible)
  if (wrong !== undefined) {
    console.error(`unsound: ${set}, ${name}: ${wrong.slice(0, 500)}`)
    return 'unsound'
  }
  const isWhole = grammar.unenforced.length === 0
  if (isWhole && !strict && example) compareExample({ name, schema, example }, isCompatible)
  return isWhole ? 'held' : 'partly'
}

/** With `additionalProperties: false` wherever properties are declared and nothing is said of others. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const saysMore = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'].some((key) => key in inner)
  return isObject(inner['properties']) && !saysMore ? { ...inner, additionalProperties: false } : inner
}

const compareExample = (
  { name, schema, example: { value, fits } }: Required<Case>,
  isCompatible: (text: string) => boolean,
) => {
  if (fits && !validatorIfPossible(closed(schema), name)(value)) return
  const text = JSON.stringify(value)
  const accepted = isCompatible(text)
  if (fits) tally.fitting += 1
  if (fits && accepted) tally.accepted += 1
  if (fits && !accepted && showsAll) console.log(`not accepted: ${name}: ${text.slice(0, 200)}`)
  if (!fits && accepted) {
    tally.wronglyAccepted += 1
    console.error(`wrongly accepted: ${name}: ${text.slice(0, 200)}`)
  }
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

const measured: Record<string, Record<string, number>> = {}
const lines = [
  ['schemas', 'held', 'partly', 'refused', 'unsound', 'ms median', 'p95', 'max', 'characters median', 'max'],
]
compile(true, true)
for (const { name, cases } of sets) {
  for (const strict of [true, false]) {
    const outcomes = cases.map((each) => outcomeOf(name, each, strict))
    const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
    const title = `${name}, ${strict ? 'strict' : 'not strict'}`
    const sound = outcomes.length - count('unsound')
    measured[title] = { sound, held: count('held'), compiled: count('held') + count('partly') }
    const [time, size] = strict ? [[], []] : [warmMilliseconds(compiled.get(name) ?? []), sizes.get(name) ?? []]
    const costs = strict ? [] : [0.5, 0.95, 1].map((share) => quantile(time, share).toFixed(1))
    const lengths = strict ? [] : [0.5, 1].map((share) => String(quantile(size, share)))
    lines.push([
      title,
      ...(['held', 'partly', 'refused', 'unsound'] as const).map((each) => String(count(each))),
      ...costs,
      ...lengths,
    ])
  }
}
measured['values of the test suite'] = {
  accepted: tally.accepted / tally.fitting,
  refused: tally.wronglyAccepted === 0 ? 1 : 0,
}
for (const line of alignColumns(lines)) console.log(line)
console.log(
  `of ${tally.fitting} values that fit a schema held whole without keys that nobody declared, ${tally.accepted} are accepted as JSON.stringify writes them`,
)
console.log(`schemas that Ajv cannot read: ${unread.size}`)
console.log(`values that do not fit and are accepted all the same: ${tally.wronglyAccepted}`)
compareOrWrite('structured-output.json', measured, (figure) => (figure === 'accepted' ? 0.005 : 0.5))
process.exit()
