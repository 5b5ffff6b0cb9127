/**
 * Measures how well a model calls functions: how often it calls the right ones, how often with the right arguments, and
 * how often it leaves them alone where none fits. Beside it the same model, told of the functions in words and asked
 * for JSON, without its template, its tool prompt and a grammar.
 */

import { parseArgs } from 'node:util'
import { alignColumns } from '@sallyport/kit/text'
import { chat } from '@sallyport/core'
import type { ChatMessage, FunctionTool, Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { validatorOf } from '@sallyport/stand-ins/json-schema'
import { readRows } from './data.js'
import { callsAreRight, namesAreRight, objectIn } from './function-calls.js'
import type { GroundTruth, MadeCall } from './function-calls.js'
import { interval } from './interval.js'

interface Row {
  readonly category: string
  readonly messages: ChatMessage[]
  readonly tools: readonly { readonly function: FunctionTool }[]
  /** null where no function fits. */
  readonly ground_truth: GroundTruth | null
}

interface Outcome {
  readonly group?: string
  readonly category: string
  readonly names: boolean
  readonly all: boolean
  readonly valid: boolean
}

const model = 'measured'
const longest = 256

const usage = `node test/dist/quality/tool-calls.js [options]

  --source SOURCE  the GGUF file (a path, hf:… or an id of the catalogue; default: smollm2-135m-instruct)
  --rows N         only so many of each category
  --asked NAME     only this way of asking (default: all)`

const { values } = parseArgs({
  options: {
    source: { type: 'string', default: 'smollm2-135m-instruct' },
    rows: { type: 'string', default: '1000' },
    asked: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

type Ask = (kernel: Kernel, row: Row) => Promise<readonly MadeCall[]>

const functionsOf = ({ tools }: Row): FunctionTool[] => tools.map((tool) => tool.function)

const calling =
  (toolChoice: 'auto' | 'required', strict: boolean): Ask =>
  async (kernel, row) => {
    const tools = functionsOf(row).map((tool) => ({ ...tool, strict }))
    const request = { messages: row.messages, tools, toolChoice, temperature: 0, maxTokens: longest }
    const { choices } = await kernel.get(chat, model).generate({ ...request, parallelToolCalls: false })
    return choices[0]?.toolCalls ?? []
  }

const inWords: Ask = async (kernel, row) => {
  const content =
    `You can call these functions: ${JSON.stringify(functionsOf(row))}\n` +
    'If one of them helps, answer only with JSON: {"name": …, "arguments": {…}}. Otherwise answer in words.'
  const messages: ChatMessage[] = [{ role: 'system', content }, ...row.messages]
  const { choices } = await kernel.get(chat, model).generate({ messages, temperature: 0, maxTokens: longest })
  const text = choices[0]?.text ?? ''
  const found = objectIn(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  return typeof found?.['name'] === 'string'
    ? [{ name: found['name'], arguments: JSON.stringify(found['arguments'] ?? {}) }]
    : []
}

const isValid = ({ name, arguments: text }: MadeCall, row: Row): boolean => {
  const tool = functionsOf(row).find((each) => each.name === name)
  const given = objectIn(text)
  return tool !== undefined && given !== undefined && validatorOf(tool.parameters)(given)
}

const outcomeOf = (row: Row, calls: readonly MadeCall[]): Outcome => ({
  category: row.category,
  names: row.ground_truth ? namesAreRight(calls, row.ground_truth) : calls.length === 0,
  all: row.ground_truth ? callsAreRight(calls, row.ground_truth) : calls.length === 0,
  valid: calls.every((call) => isValid(call, row)),
})

const percent = (outcomes: readonly Outcome[], of: (outcome: Outcome) => boolean): string => {
  const share = (rows: readonly Outcome[]) => (100 * rows.filter(of).length) / rows.length
  const [low, high] = interval(outcomes, share)
  return `${share(outcomes).toFixed(1)} [${low.toFixed(1)} ${high.toFixed(1)}]`
}

const ways: readonly (readonly [name: string, ask: Ask, onlyCalls: boolean])[] = [
  ['required', calling('required', false), true],
  ['required, strict', calling('required', true), true],
  ['auto', calling('auto', false), false],
  ['in words', inWords, false],
]

const measure = async (kernel: Kernel): Promise<void> => {
  const rows = perCategory(readRows<Row>('llm/tool_calls.jsonl'), Number(values.rows))
  const lines = [['asked', 'category', 'rows', 'names right %', 'all right %', 'valid %', 's']]
  for (const [name, ask, onlyCalls] of ways.filter(([name]) => values.asked === undefined || values.asked === name)) {
    const outcomes: Outcome[] = []
    const began = performance.now()
    for (const row of rows.filter(({ ground_truth: truth }) => truth !== null || !onlyCalls))
      outcomes.push(outcomeOf(row, await ask(kernel, row).catch(refused)))
    const seconds = (performance.now() - began) / 1000
    for (const category of new Set(outcomes.map((outcome) => outcome.category))) {
      const own = outcomes.filter((outcome) => outcome.category === category)
      const shares = [
        percent(own, ({ names }) => names),
        percent(own, ({ all }) => all),
        percent(own, ({ valid }) => valid),
      ]
      lines.push([name, category, String(own.length), ...shares, (seconds / outcomes.length).toFixed(2)])
    }
    console.log(`${name}: ${outcomes.length} rows in ${seconds.toFixed(0)} s`)
  }
  console.log(alignColumns(lines).join('\n'))
}

/** Counts as no call. */
const refused = (error: unknown): readonly MadeCall[] => {
  console.log(String(error))
  return []
}

const perCategory = (rows: readonly Row[], most: number): Row[] => {
  const counts = new Map<string, number>()
  return rows.filter(({ category }) => {
    counts.set(category, (counts.get(category) ?? 0) + 1)
    return (counts.get(category) ?? 0) <= most
  })
}

if (values.help) console.log(usage)
else {
  const kernel = await createKernel({
    plugins: ['@sallyport/llama-cpp'],
    models: { [model]: { backend: 'llama-cpp', source: values.source } },
  })
  try {
    await measure(kernel)
  } finally {
    await kernel.stop()
  }
}
