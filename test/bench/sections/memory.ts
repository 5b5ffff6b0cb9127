/** From start to ready with cached weights, and what the processes hold then and after some work. */

import { ChatClient } from '../client/chat-client.js'
import { askSideBySide } from '../client/side-by-side.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { shortPrompts } from '../prompts.js'
import type { BenchModel, Contender, ServerSettings } from '../servers/contender.js'
import { whileRunning } from '../servers/launch.js'
import { treeResources } from '../servers/process-tree.js'
import type { TreeResources } from '../servers/process-tree.js'
import { alternate } from './alternate.js'
import { compare } from './compare.js'
import type { Bench, Section } from './section.js'

const sequences = { parallel: 4, contextLength: 2048 }
/** Requests side by side, some of which wait. */
const clients = 8

export const memory: Section = async (bench) => {
  const figures: Figure[] = []
  for (const model of bench.models) figures.push(...(await measureModel(bench, model)))
  return figures
}

const measureModel = async ({ contenders, options, say }: Bench, model: BenchModel): Promise<Figure[]> => {
  const settings = { ...sequences, model, threads: Math.max(...options.threads) }
  const life = (contender: Contender) => liveOnce(contender, settings, options.maxTokens)
  // the first one may read the weights from the disk
  for (const contender of contenders) await life(contender)
  const measured = await alternate(contenders, options.rounds, async (contender, round) => {
    const lived = await life(contender)
    say(`${model.id}, start ${round + 1}: ${contender.name} ready after ${lived.startTime.toFixed(0)} ms`)
    return lived
  })
  const results = measured.map(({ subject: { name }, values }) => ({ name, values }))
  const figure = figuresOf('memory', model.id)
  const resident = (measure: string, of: (life: Life) => TreeResources) =>
    results.flatMap(({ name, values }) => {
      const memories = values.map(of)
      const server = figure(
        measure,
        name,
        'MB',
        memories.map((memory) => memory.server.resident / 1e6),
      )
      const children = memories.map((memory) => memory.children.resident / 1e6)
      return name === 'sallyport' ? [server, figure(measure, 'child', 'MB', children)] : [server]
    })
  const starts = results.map(({ name, values }) => ({ name, rounds: values.map(({ startTime }) => startTime) }))
  return [
    ...compare({ section: 'memory', model: model.id, measure: 'start', unit: 'ms', results: starts }, 'difference'),
    ...resident('rss-ready', ({ ready }) => ready),
    ...resident('rss-worked', ({ worked }) => worked),
  ]
}

interface Life {
  /** Milliseconds from spawn to ready. */
  readonly startTime: number
  readonly ready: TreeResources
  readonly worked: TreeResources
}

const liveOnce = async (contender: Contender, settings: ServerSettings, maxTokens: number): Promise<Life> => {
  const server = await contender.start(settings)
  const client = new ChatClient(server.url, settings.model.id)
  try {
    const ready = treeResources(server.pid)
    await whileRunning([server], () => askSideBySide(client, shortPrompts(clients), maxTokens))
    return { startTime: server.startTime, ready, worked: treeResources(server.pid) }
  } finally {
    await server.stop()
  }
}
