/** What a schema costs: decoding speed of answers that must fit one beside free text of the same model. */

import { decodeRate } from '../client/stream-timing.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { shortPrompts } from '../prompts.js'
import type { BenchModel } from '../servers/contender.js'
import { withEntrants } from '../servers/entrant.js'
import type { Entrant } from '../servers/entrant.js'
import { ratios } from '../statistics.js'
import { alternate } from './alternate.js'
import type { Bench, Section } from './section.js'

const contextLength = 2048
const clients = [1, 4] as const

/** Takes as many tokens as there may be. */
const schema = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 80 },
    year: { type: 'integer', minimum: 0, maximum: 2100 },
    mood: { enum: ['calm', 'tense', 'merry'] },
    chapters: {
      type: 'array',
      minItems: 50,
      items: {
        type: 'object',
        properties: { heading: { type: 'string', maxLength: 60 }, pages: { type: 'integer', minimum: 1 } },
        required: ['heading', 'pages'],
        additionalProperties: false,
      },
    },
  },
  required: ['title', 'year', 'mood', 'chapters'],
  additionalProperties: false,
} as const

export const structured: Section = async (bench) => {
  const figures: Figure[] = []
  for (const model of bench.models) figures.push(...(await measureModel(bench, model)))
  return figures
}

const measureModel = (bench: Bench, model: BenchModel): Promise<Figure[]> => {
  const threads = Math.max(...bench.options.threads)
  const settings = [{ model, threads, parallel: Math.max(...clients), contextLength }]
  const ours = bench.contenders.filter(({ name }) => name === 'sallyport')
  return withEntrants(ours, settings, async ([entrant]) => {
    const figures: Figure[] = []
    if (entrant) for (const count of clients) figures.push(...(await decoding(bench, model, entrant, count)))
    return figures
  })
}

const decoding = async (bench: Bench, model: BenchModel, { client }: Entrant, count: number): Promise<Figure[]> => {
  const { rounds, maxTokens } = bench.options
  const prompts = Array.from({ length: rounds }, () => shortPrompts(count))
  const measured = await alternate(['free', 'grammar'] as const, rounds, async (subject, round) => {
    const asked = (prompts[round] ?? []).map((prompt) =>
      client.ask({ prompt, maxTokens, ...(subject === 'grammar' ? { schema } : {}) }),
    )
    const rate = decodeRate(await Promise.all(asked))
    bench.say(`${model.id}, clients ${count}, round ${round + 1}: ${subject} ${rate.toFixed(1)} tokens/s`)
    return rate
  })
  const figure = figuresOf('structured', model.id)
  const [free = [], grammar = []] = measured.map(({ values }) => values)
  const compared = ratios(grammar, free)
  return [
    ...measured.map(({ subject, values }) => figure(`decode-${count}`, subject, 'tokens/s', values)),
    figure(`decode-${count}`, 'ratio', 'ratio', compared.rounds, { interval: compared.interval }),
  ]
}
