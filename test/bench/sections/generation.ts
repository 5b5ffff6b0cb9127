/** Generation over HTTP, streamed: decoding speed by number of clients, and time to first token. */

import { askSideBySide } from '../client/side-by-side.js'
import { decodeRate } from '../client/stream-timing.js'
import type { StreamTiming } from '../client/stream-timing.js'
import type { Figure } from '../figures.js'
import { shortPrompts } from '../prompts.js'
import type { BenchModel } from '../servers/contender.js'
import { withEntrants } from '../servers/entrant.js'
import type { Entrant } from '../servers/entrant.js'
import { treeResources } from '../servers/process-tree.js'
import { median } from '../statistics.js'
import { alternate } from './alternate.js'
import { chooseThreads } from './choose-threads.js'
import { compare } from './compare.js'
import type { Bench, Section } from './section.js'

/** Tokens per sequence: room for prompt and answer. */
const contextLength = 2048
/** How often time to first token is asked for in a round. */
const firstTokenAsks = 5

export const generation: Section = async (bench) => {
  const figures: Figure[] = []
  for (const model of bench.models) figures.push(...(await measureModel(bench, model)))
  return figures
}

const measureModel = (bench: Bench, model: BenchModel): Promise<Figure[]> => {
  const { clients, threads } = bench.options
  const parallel = Math.max(...clients)
  const settings = threads.map((count) => ({ model, threads: count, parallel, contextLength }))
  bench.say(`${model.id}: starting servers`)
  return withEntrants(bench.contenders, settings, async (entrants) => {
    const figures: Figure[] = []
    for (const count of clients) {
      const choice = await chooseThreads(bench, model.id, entrants, count)
      figures.push(...choice.figures, ...(await decoding(bench, model, choice.best, count)))
      if (count === clients[0]) figures.push(...(await firstToken(bench, model, choice.best)))
    }
    return figures
  })
}

const decoding = async (
  { options: { rounds, maxTokens }, say }: Bench,
  model: BenchModel,
  entrants: readonly Entrant[],
  clients: number,
): Promise<Figure[]> => {
  const prompts = Array.from({ length: rounds }, () => shortPrompts(clients))
  const measured = await alternate(entrants, rounds, async ({ name, client, server }, round) => {
    const before = processorTime(server.pid)
    const answers = await askSideBySide(client, prompts[round] ?? [], maxTokens)
    say(`${model.id}, clients ${clients}, round ${round + 1}: ${name} ${decodeRate(answers).toFixed(1)} tokens/s`)
    return { answers, rate: decodeRate(answers), cpu: (processorTime(server.pid) - before) / tokensOf(answers) }
  })
  const common = { section: 'generation', model: model.id } as const
  const results = measured.map(({ subject: { name, threads }, values }) => ({
    name,
    values,
    note: [
      `threads ${threads}`,
      ...shortAnswers(
        values.flatMap(({ answers }) => answers),
        maxTokens,
      ),
    ].join(', '),
  }))
  const rates = results.map(({ values, ...rest }) => ({ ...rest, rounds: values.map(({ rate }) => rate) }))
  const costs = results.map(({ values, ...rest }) => ({ ...rest, rounds: values.map(({ cpu }) => cpu) }))
  return [
    ...compare({ ...common, measure: `decode-${clients}`, unit: 'tokens/s', results: rates }, 'ratio'),
    ...compare({ ...common, measure: `cpu-per-token-${clients}`, unit: 'ms', results: costs }, 'ratio'),
  ]
}

/** Of the server and its children: what other programs do to the machine changes it less than it changes the speed. */
const processorTime = (pid: number): number => {
  const { server, children } = treeResources(pid)
  return server.cpu + children.cpu
}

const tokensOf = (answers: readonly StreamTiming[]): number =>
  answers.reduce((sum, { tokens }) => sum + tokens.completion, 0)

/** Answers that ended before their limit leave the others more of the machine: the figure is then a little off. */
const shortAnswers = (answers: readonly StreamTiming[], maxTokens: number): string[] => {
  const short = answers.filter(({ tokens }) => tokens.completion < maxTokens).length
  return short > 0 ? [`${short} of ${answers.length} answers ended early`] : []
}

const firstToken = async (
  { options: { rounds }, say }: Bench,
  model: BenchModel,
  entrants: readonly Entrant[],
): Promise<Figure[]> => {
  const prompts = Array.from({ length: rounds }, () => shortPrompts(firstTokenAsks))
  const measured = await alternate(entrants, rounds, async ({ name, client }, round) => {
    const answers: StreamTiming[] = []
    for (const prompt of prompts[round] ?? []) answers.push(await client.ask({ prompt, maxTokens: 4 }))
    const time = median(answers.map(({ start, firstText }) => firstText - start))
    say(`${model.id}, round ${round + 1}: ${name} first token after ${time.toFixed(1)} ms`)
    return { time, tokens: answers[0]?.tokens }
  })
  const results = measured.map(({ subject: { name, threads }, values }) => {
    const { prompt = 0, cached = 0 } = values[0]?.tokens ?? {}
    const note = `threads ${threads}, prompt of ${prompt} tokens, ${cached} of them cached`
    return { name, rounds: values.map(({ time }) => time), note }
  })
  return compare({ section: 'generation', model: model.id, measure: 'first-token', unit: 'ms', results }, 'difference')
}
