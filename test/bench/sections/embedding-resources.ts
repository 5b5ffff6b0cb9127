/** What serving many texts does to the server: its event loop and memory. */

import type { EmbeddingClient } from '../embedding/client.js'
import { startWorker } from '../adapter/worker.js'
import type { Contest } from '../embedding/contest.js'
import type { LagQuestion } from '../embedding/loop-lag.js'
import { growth, residentAt } from '../embedding/memory-growth.js'
import type { MemorySample, Resident } from '../embedding/memory-growth.js'
import { queries } from '../embedding/texts.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import type { Bench } from './section.js'

/** Texts of the long request, and how often it is measured at most. */
const long = { texts: 10_000, rounds: 3 }

/** While memory is watched: texts of a request, requests side by side, and how often memory is read. */
const many = { texts: 50, clients: 4, samples: 100 }

/** Of the server's event loop, and of a process beside it that does nothing, during one request of many texts. */
export const lag = async ({ options, say }: Bench, { client, server }: Contest): Promise<Figure[]> => {
  const texts = queries(long.texts, long.texts)
  const idle = await startWorker<LagQuestion, number[]>(new URL('../embedding/idle.js', import.meta.url))
  const watched = { sallyport: server, idle }
  const lags: Readonly<Record<keyof typeof watched, number[][]>> = { sallyport: [], idle: [] }
  await client.embed(texts.slice(0, long.texts / 10))
  for (let round = 0; round < Math.min(options.rounds, long.rounds); round += 1) {
    for (const process of Object.values(watched)) await process.ask('watch')
    await client.embed(texts)
    for (const subject of lagSubjects) {
      const [max = NaN, p99 = NaN] = await watched[subject].ask('lag')
      say(
        `embedding, ${long.texts} texts, round ${round + 1}: ${subject} lag at most ${max.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      )
      lags[subject].push([max, p99])
    }
  }
  await idle.stop()
  const figure = figuresOf('embedding', options.embeddingModel)
  const note = `one request of ${long.texts} texts`
  return lagSubjects.flatMap((subject) =>
    ['lag-max', 'lag-p99'].map((measure, at) =>
      figure(
        measure,
        subject,
        'ms',
        lags[subject].map((values) => values[at] ?? NaN),
        { note },
      ),
    ),
  )
}

const lagSubjects = ['sallyport', 'idle'] as const

/** On a server that has served nothing yet: its heap grows with the first tens of thousands of texts. */
export const memory = async ({ options, say }: Bench, { client, server }: Contest): Promise<Figure[]> => {
  const { texts: all } = options
  const samples: MemorySample[] = []
  const portion = Math.ceil(all / many.samples)
  for (let texts = portion; texts <= all; texts += portion) {
    await serve(client, queries(portion, texts))
    const [own = NaN, child = NaN] = await server.ask('memory')
    samples.push({ texts, server: own, child })
    if (samples.length % (many.samples / 10) === 0)
      say(`embedding, ${texts} texts: ${(own / 1e6).toFixed(1)} MB, its model ${(child / 1e6).toFixed(1)} MB`)
  }
  const figure = figuresOf('embedding', options.embeddingModel)
  const [early, half, late] = [residentAt(samples, all / 10), residentAt(samples, all / 2), residentAt(samples, all)]
  const resident = (measure: string, { server: own, child }: Resident, note: string) => [
    figure(measure, 'sallyport', 'MB', [own / 1e6], { note }),
    figure(measure, 'child', 'MB', [child / 1e6], { note }),
  ]
  return [
    ...resident('rss-early', early, `${all / 10} texts served`),
    ...resident('rss-half', half, `${all / 2} texts served`),
    ...resident('rss-late', late, `${all} texts served`),
    figure('growth', 'sallyport', '%', [growth(early, late)], { note: `from ${all / 10} to ${all} texts` }),
    figure('growth-later', 'sallyport', '%', [growth(half, late)], { note: `from ${all / 2} to ${all} texts` }),
  ]
}

/** Requests of clients side by side. */
const serve = async (client: EmbeddingClient, texts: readonly string[]): Promise<void> => {
  const requests = Array.from({ length: Math.ceil(texts.length / many.texts) }, (_, index) =>
    texts.slice(index * many.texts, (index + 1) * many.texts),
  ).values()
  const work = async () => {
    for (const request of requests) await client.embed(request)
  }
  await Promise.all(Array.from({ length: many.clients }, work))
}
