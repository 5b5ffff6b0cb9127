/** A thousand guarded streams at the same time: whether each says what it may, and what that costs. */

import { startWorker } from '../adapter/worker.js'
import type { Worker } from '../adapter/worker.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { hasLeaked, isOtherwise, Listener } from '../guard/heard.js'
import { freePort } from '../servers/launch.js'
import type { Section } from './section.js'

const streams = 1000

interface Round {
  readonly leaked: number
  readonly otherwise: number
  /** Streams per second. */
  readonly rate: number
  /** Bytes: the most that the server had resident so far. */
  readonly memory: number
}

export const guardedStreams: Section = async ({ options, say }) => {
  const port = await freePort()
  const env = { BENCH_PORT: String(port), BENCH_STREAMS: String(streams) }
  const server = await startWorker<'memory', number[]>(new URL('../guard/streams-server.js', import.meta.url), env)
  const listener = new Listener(`http://127.0.0.1:${port}`)
  const rounds: Round[] = []
  try {
    const expected = await wholeAnswers(listener)
    for (let round = 0; round < options.rounds; round += 1) {
      const result = await listen(listener, expected, server)
      say(
        `guarded-streams, round ${round + 1}: ${result.rate.toFixed(0)} streams/s, ${(result.memory / 1e6).toFixed(0)} MB`,
      )
      rounds.push(result)
    }
  } finally {
    listener.close()
    await server.stop()
  }
  return figuresOfRounds(rounds)
}

const figuresOfRounds = (rounds: readonly Round[]): Figure[] => {
  const figure = figuresOf('guarded-streams')
  const note = `${streams} streams side by side`
  const of = (value: (round: Round) => number) => rounds.map(value)
  return [
    figure(
      'leaked',
      'sallyport',
      'streams',
      of(({ leaked }) => leaked),
      { note },
    ),
    figure(
      'reordered',
      'sallyport',
      'streams',
      of(({ otherwise }) => otherwise),
      { note },
    ),
    figure(
      'rss-peak',
      'sallyport',
      'MB',
      of(({ memory }) => memory / 1e6),
      { note },
    ),
    figure(
      'rate',
      'sallyport',
      'streams/s',
      of(({ rate }) => rate),
      { note },
    ),
  ]
}

/** What the unstreamed call says, a few at a time. */
const wholeAnswers = async (listener: Listener): Promise<string[]> => {
  const answers: string[] = []
  const scripts = Array.from({ length: streams }, (_, script) => script).values()
  const work = async () => {
    for (const script of scripts) answers[script] = await listener.whole(script)
  }
  await Promise.all(Array.from({ length: 32 }, work))
  return answers
}

const listen = async (
  listener: Listener,
  expected: readonly string[],
  server: Worker<'memory', number[]>,
): Promise<Round> => {
  const started = performance.now()
  const heard = await Promise.all(expected.map((_, script) => listener.streamed(script)))
  const seconds = (performance.now() - started) / 1000
  const [memory = NaN] = await server.ask('memory')
  return {
    leaked: heard.filter(hasLeaked).length,
    otherwise: heard.filter((one, script) => isOtherwise(script, one, expected[script] ?? '')).length,
    rate: streams / seconds,
    memory,
  }
}
