/**
 * How long a model stays busy after its client has gone. One sequence only: the connection is cut in the middle of
 * decoding or of the prompt, a request for one token follows at once, and what that takes longer than on an idle
 * server is the time to idle.
 */

import type { Figure } from '../figures.js'
import { longPrompt, shortPrompt } from '../prompts.js'
import type { ChatPrompt } from '../client/chat-client.js'
import type { BenchModel } from '../servers/contender.js'
import { withEntrants } from '../servers/entrant.js'
import type { Entrant } from '../servers/entrant.js'
import { alternate } from './alternate.js'
import { compare } from './compare.js'
import type { Bench, Section } from './section.js'

const contextLength = 4096
const promptTokens = 2000
/** Tokens that come before the connection is cut. */
const decodedTokens = 12
/** Parts of the time that the prompt takes, after which the connection is cut. */
const prefillShares = [0.25, 0.5, 0.75]

export const abort: Section = async (bench) => {
  const figures: Figure[] = []
  for (const model of bench.models) figures.push(...(await measureModel(bench, model)))
  return figures
}

const measureModel = (bench: Bench, model: BenchModel): Promise<Figure[]> => {
  const settings = { model, threads: Math.max(...bench.options.threads), parallel: 1, contextLength }
  return withEntrants(bench.contenders, [settings], async (entrants) => {
    const prompts = new Map<Entrant, LongPrompt>()
    for (const entrant of entrants) prompts.set(entrant, await sizePrompt(entrant))
    return [
      ...(await timesToIdle(bench, model, entrants, 'abort-decode', cutDecoding)),
      ...(await timesToIdle(bench, model, entrants, 'abort-prefill', (entrant, round) => {
        const { words, time } = prompts.get(entrant) as LongPrompt
        const share = prefillShares[round % prefillShares.length] ?? 0.5
        return cutAfter(entrant, longPrompt(words), time * share)
      })),
    ]
  })
}

interface LongPrompt {
  readonly words: number
  /** Milliseconds that its evaluation takes. */
  readonly time: number
}

/** Finds how many words make the tokens, and how long the server takes for them. */
const sizePrompt = async ({ client }: Entrant): Promise<LongPrompt> => {
  const sample = 200
  const { tokens } = await client.ask({ prompt: longPrompt(sample), maxTokens: 1 })
  const words = Math.round((sample / tokens.prompt) * promptTokens)
  const { start, end } = await client.ask({ prompt: longPrompt(words), maxTokens: 1 })
  return { words, time: end - start }
}

const timesToIdle = async (
  { options: { rounds }, say }: Bench,
  model: BenchModel,
  entrants: readonly Entrant[],
  measure: string,
  cut: (entrant: Entrant, round: number) => Promise<void>,
): Promise<Figure[]> => {
  const measured = await alternate(entrants, rounds, async (entrant, round) => {
    // the fastest: what slows it down must not be taken off the time that is measured
    const idle = Math.min(await oneToken(entrant), await oneToken(entrant), await oneToken(entrant))
    await cut(entrant, round)
    const time = (await oneToken(entrant)) - idle
    say(`${model.id}, ${measure}, round ${round + 1}: ${entrant.name} ${time.toFixed(1)} ms`)
    return time
  })
  const results = measured.map(({ subject, values }) => ({
    name: subject.name,
    rounds: values,
    note: `threads ${subject.threads}`,
  }))
  return compare({ section: 'abort', model: model.id, measure, unit: 'ms', results }, 'difference')
}

/** Milliseconds until the answer is complete. */
const oneToken = async ({ client }: Entrant): Promise<number> => {
  const { start, end } = await client.ask({ prompt: shortPrompt(), maxTokens: 1 })
  return end - start
}

const cutDecoding = (entrant: Entrant): Promise<void> => {
  const connection = new AbortController()
  const onText = (pieces: number) => {
    if (pieces === decodedTokens) connection.abort()
  }
  return expectCut(
    connection.signal,
    entrant.client.ask({ prompt: shortPrompt(), maxTokens: 512 }, { signal: connection.signal, onText }),
  )
}

const cutAfter = (entrant: Entrant, prompt: ChatPrompt, milliseconds: number): Promise<void> => {
  const signal = AbortSignal.timeout(Math.round(milliseconds))
  return expectCut(signal, entrant.client.ask({ prompt, maxTokens: 512 }, { signal }))
}

/** @throws when the answer ended, well or badly, before the connection was cut */
const expectCut = async (signal: AbortSignal, answer: Promise<unknown>): Promise<void> => {
  try {
    await answer
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  throw new Error('the answer was complete before the connection was cut')
}
