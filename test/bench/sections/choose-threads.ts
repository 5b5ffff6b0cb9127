/** Finds the number of threads with which each server is fastest, for each number of clients. */

import { askSideBySide } from '../client/side-by-side.js'
import { decodeRate } from '../client/stream-timing.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import { shortPrompts } from '../prompts.js'
import type { Entrant } from '../servers/entrant.js'
import { alternate } from './alternate.js'
import type { Bench } from './section.js'

/** Tries per setting: the best counts, for noise only ever slows down. */
const tries = 2
/** Enough for a choice; the figures come later. */
const tokens = 48

export interface ThreadChoice {
  readonly figures: readonly Figure[]
  /** One entrant per server. */
  readonly best: readonly Entrant[]
}

export const chooseThreads = async (
  { say }: Pick<Bench, 'say'>,
  model: string,
  entrants: readonly Entrant[],
  clients: number,
): Promise<ThreadChoice> => {
  const prompts = Array.from({ length: tries }, () => shortPrompts(clients))
  const measured = await alternate(entrants, tries, async ({ client }, round) =>
    decodeRate(await askSideBySide(client, prompts[round] ?? [], tokens)),
  )
  const ranked = measured
    .map(({ subject, values }) => ({ subject, values, rate: Math.max(...values) }))
    .sort((a, b) => b.rate - a.rate)
  for (const { subject, rate } of ranked)
    say(`${model}, clients ${clients}: ${subject.name} with threads ${subject.threads}: ${rate.toFixed(1)} tokens/s`)
  const figure = figuresOf('generation', model)
  return {
    figures: measured.map(({ subject: { name, threads }, values }) =>
      figure(`threads-${threads}-decode-${clients}`, name, 'tokens/s', values, { note: 'to choose the threads' }),
    ),
    best: ranked
      .map(({ subject }) => subject)
      .filter(({ name }, rank, all) => all.findIndex((other) => other.name === name) === rank),
  }
}
