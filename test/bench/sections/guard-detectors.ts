/** What each detector costs, by itself. */

import { startWorker } from '../adapter/worker.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import type { DetectorName, DetectorQuestion } from '../guard/detectors.js'
import { alternate } from './alternate.js'
import type { Bench } from './section.js'

/** Texts of a round: some seconds, for processor time is counted in steps of 10 ms. */
const texts: Readonly<Record<DetectorName, number>> = {
  'pii-patterns': 400,
  'pii-model': 30,
  'injection-rules': 400,
  'injection-model': 100,
  toxicity: 100,
  factuality: 200,
}

export const detectorCosts = async ({ options, say }: Bench): Promise<Figure[]> => {
  const worker = await startWorker<DetectorQuestion, number[]>(new URL('../guard/detectors.js', import.meta.url))
  const figure = figuresOf('guard')
  try {
    const names = Object.keys(texts) as DetectorName[]
    for (const detector of names) await worker.ask({ detector, texts: 20 })
    const measured = await alternate(names, options.rounds, async (detector, round) => {
      const [cost = NaN] = await worker.ask({ detector, texts: texts[detector] })
      say(`guard, round ${round + 1}: ${detector} ${cost.toFixed(2)} ms of a processor per 1,000 characters`)
      return cost
    })
    return measured.map(({ subject, values }) =>
      figure(`cpu-${subject}`, 'sallyport', 'ms', values, { note: 'processor time, 1,000 characters, threads 1' }),
    )
  } finally {
    await worker.stop()
  }
}
