/**
 * Measures whether what a model says under a JSON Schema is JSON and fits it: every schema of the evaluation data is
 * asked for with `strict` and without. Answers that the limit of tokens cuts are no JSON, and counted by themselves.
 */

import { parseArgs } from 'node:util'
import { alignColumns } from '@sallyport/kit/text'
import { chat, isSallyportError } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { validatorOf } from '@sallyport/stand-ins/json-schema'
import { readRows } from './data.js'

interface Case {
  readonly schema: unknown
}

type Outcome = 'valid' | 'invalid' | 'cut' | 'refused' | 'failed'

/** By the codes of errors. */
const refusals: Readonly<Record<string, Outcome>> = { invalid_request: 'refused', invalid_output: 'invalid' }

const model = 'measured'

const usage = `node test/dist/quality/schema-answers.js [options]

  --source SOURCE  the GGUF file (a path, hf:… or an id of the catalogue; default: smollm2-135m-instruct)
  --rows N         only so many schemas of each file
  --tokens N       of an answer at most (default: 256)`

const { values } = parseArgs({
  options: {
    source: { type: 'string', default: 'smollm2-135m-instruct' },
    rows: { type: 'string', default: '1000' },
    tokens: { type: 'string', default: '256' },
    help: { type: 'boolean', default: false },
  },
})

const answerTo = async (kernel: Kernel, { schema }: Case, strict: boolean) => {
  const { choices } = await kernel.get(chat, model).generate({
    messages: [{ role: 'user', content: 'Give an example.' }],
    responseFormat: { type: 'json_schema', schema, strict },
    temperature: 0,
    maxTokens: Number(values.tokens),
  })
  return choices[0]
}

const outcomeOf = async (kernel: Kernel, row: Case, strict: boolean): Promise<Outcome> => {
  try {
    const choice = await answerTo(kernel, row, strict)
    if (choice?.finish === 'length') return 'cut'
    return validatorOf(row.schema)(JSON.parse(choice?.text ?? '')) ? 'valid' : 'invalid'
  } catch (error) {
    const refusal = isSallyportError(error) ? refusals[error.code] : undefined
    if (refusal === undefined) console.log(`${JSON.stringify(row.schema).slice(0, 200)}: ${String(error)}`)
    return refusal ?? 'failed'
  }
}

const outcomes: readonly Outcome[] = ['valid', 'cut', 'refused', 'invalid', 'failed']

const measure = async (kernel: Kernel): Promise<void> => {
  const lines: string[][] = [['schemas', 'strict', 'all', ...outcomes]]
  for (const file of ['openai_schemas', 'json_schema_sample'])
    for (const strict of [true, false]) {
      const rows = readRows<Case>(`llm/${file}.jsonl`).slice(0, Number(values.rows))
      const counts = new Map<Outcome, number>()
      for (const row of rows) {
        const outcome = await outcomeOf(kernel, row, strict)
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      }
      const shown = outcomes.map((outcome) => String(counts.get(outcome) ?? 0))
      lines.push([file, strict ? 'yes' : 'no', String(rows.length), ...shown])
      console.log(`${file}: ${rows.length} schemas`)
    }
  console.log(alignColumns(lines).join('\n'))
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
