/** Vectors of texts over HTTP, beside a bare session of onnxruntime with the same file and threads. */

import { RawClient } from '../adapter/raw-client.js'
import { embeddingRequest } from '../embedding/client.js'
import { closedLoop, oneByOne } from '../embedding/closed-loop.js'
import { withContest } from '../embedding/contest.js'
import type { Contest } from '../embedding/contest.js'
import { queries, textsOfLength } from '../embedding/texts.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { differences, median, ratios } from '../statistics.js'
import { alternate } from './alternate.js'
import { lag, memory } from './embedding-resources.js'
import type { Bench, Section } from './section.js'

const batch = { texts: 32, tokens: 128 }
const shortTokens = 12
/** Clients with a short text each. */
const crowd = 32
/** As many as their texts have in the middle. */
const crowdTokens = 7
/** Calls by which the time of a short text is measured. */
const calls = 50

const subjects = ['sallyport', 'raw-session'] as const
type Subject = (typeof subjects)[number]

export const embedding: Section = async (bench) => {
  const { embeddingModel, threads, texts } = bench.options
  const contest = (work: (contest: Contest) => Promise<Figure[]>) =>
    withContest(embeddingModel, Math.max(...threads), work)
  return [
    ...(await contest(async (running) => [
      ...(await batches(bench, running)),
      ...(await manyClients(bench, running)),
      ...(await shortTexts(bench, running)),
      ...(await lag(bench, running)),
    ])),
    ...(texts > 0 ? await contest((running) => memory(bench, running)) : []),
  ]
}

const figuresOfModel = ({ options: { embeddingModel, threads } }: Bench) => {
  const figure = figuresOf('embedding', embeddingModel)
  const note = `threads ${Math.max(...threads)}`
  return (...[measure, subject, unit, rounds, extra]: Parameters<typeof figure>) =>
    figure(measure, subject, unit, rounds, { note, ...extra })
}

/** One client, which sends the next texts when it has the vectors of the last ones. */
const batches = async (bench: Bench, { client, raw, encode }: Contest): Promise<Figure[]> => {
  const { rounds, seconds } = bench.options
  const encoded = await textsOfLength(batch.tokens, batch.texts, encode)
  const texts = encoded.map(({ text }) => text)
  const tokens = await client.embed(texts)
  if (tokens !== batch.texts * batch.tokens) throw new Error(`the server read ${tokens} tokens`)
  const measure = `batch-${batch.texts}x${batch.tokens}`
  const rates: Readonly<Record<Subject, (seconds: number) => Promise<number>>> = {
    sallyport: async (time) => batch.texts * (await closedLoop([() => client.embed(texts)], time)),
    'raw-session': async (time) => {
      const [rate = NaN] = await raw.ask({ kind: 'rate', texts: encoded.map(({ ids }) => ids), seconds: time })
      return rate
    },
  }
  for (const subject of subjects) await rates[subject](1)
  const measured = await alternate(subjects, rounds, async (subject, round) => {
    const rate = await rates[subject](seconds)
    bench.say(`embedding, ${measure}, round ${round + 1}: ${subject} ${rate.toFixed(1)} texts/s`)
    return rate
  })
  const figure = figuresOfModel(bench)
  const [ours, theirs] = measured.map(({ values }) => values)
  const { rounds: values, interval } = ratios(ours ?? [], theirs ?? [])
  return [
    ...measured.map(({ subject, values: rates }) => figure(measure, subject, 'texts/s', rates)),
    figure(measure, 'ratio', 'ratio', values, { interval }),
  ]
}

/** One client, and nobody else. */
const shortTexts = async (bench: Bench, { url, raw, encode }: Contest): Promise<Figure[]> => {
  const [encoded = { text: '', ids: [] }] = await textsOfLength(shortTokens, 1, encode)
  const client = new RawClient(new URL(url), embeddingRequest(encoded.text))
  const times: Readonly<Record<Subject, () => Promise<number[]>>> = {
    sallyport: () => oneByOne(calls, () => client.send()),
    'raw-session': () => raw.ask({ kind: 'times', texts: [encoded.ids], calls }),
  }
  for (const subject of subjects) await times[subject]()
  const measured = await alternate(subjects, bench.options.rounds, async (subject, round) => {
    const time = median(await times[subject]())
    bench.say(`embedding, one short text, round ${round + 1}: ${subject} ${time.toFixed(2)} ms`)
    return time
  })
  client.close()
  const figure = figuresOfModel(bench)
  const [ours, theirs] = measured.map(({ values }) => values)
  const { rounds, interval } = differences(ours ?? [], theirs ?? [])
  return [
    ...measured.map(({ subject, values }) => figure('short-latency', subject, 'ms', values)),
    figure('short-latency', 'difference', 'ms', rounds, { interval }),
  ]
}

/** Clients that send their text again when they have its vector, against one that sends the same texts in turn. */
const manyClients = async (bench: Bench, { url, raw, encode }: Contest): Promise<Figure[]> => {
  const { rounds, seconds } = bench.options
  const clients = queries(crowd, crowd).map((text) => new RawClient(new URL(url), embeddingRequest(text)))
  const asks = clients.map((client) => () => client.send())
  let turn = 0
  const inTurn = async () => asks[turn++ % crowd]?.()
  await closedLoop(asks, 1)
  const measured = await alternate([crowd, 1], rounds, async (count, round) => {
    const rate = await closedLoop(count === 1 ? [inTurn] : asks, seconds)
    bench.say(`embedding, short texts, clients ${count}, round ${round + 1}: ${rate.toFixed(1)} texts/s`)
    return rate
  })
  for (const client of clients) client.close()
  const encoded = (await textsOfLength(crowdTokens, crowd, encode)).map(({ ids }) => ids)
  const bare = await alternate([crowd, 1], rounds, async (count, round) => {
    const [rate = NaN] = await raw.ask({ kind: 'rate', texts: encoded.slice(0, count), seconds })
    bench.say(`embedding, short texts together ${count}, round ${round + 1}: raw-session ${rate.toFixed(1)} texts/s`)
    return rate
  })
  return [...gain(bench, 'short', 'sallyport', measured), ...gain(bench, 'together', 'raw-session', bare)]
}

/** What many at a time are served faster than one. */
const gain = (
  bench: Bench,
  measure: string,
  subject: Subject,
  [many, one]: readonly { readonly values: readonly number[] }[],
): Figure[] => {
  const figure = figuresOfModel(bench)
  const [together, alone] = [many?.values ?? [], one?.values ?? []]
  const { rounds, interval } = ratios(together, alone)
  return [
    figure(`${measure}-${crowd}`, subject, 'texts/s', together),
    figure(`${measure}-1`, subject, 'texts/s', alone),
    figure(`${measure}-${crowd}`, 'ratio', 'ratio', rounds, { interval }),
  ]
}
