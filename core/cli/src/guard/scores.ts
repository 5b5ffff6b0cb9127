import { failure } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { alignColumns } from '@sallyport/kit/text'
import { readShadowScores, scoreBins } from '@sallyport/kernel'
import { numberOf } from './number-option.js'

interface ScoresOptions {
  readonly check?: string
  readonly days: string
  readonly rate: string
}

export const scoresCommand: CommandDefinition = {
  name: 'scores',
  description: 'show the scores that checks in shadow mode gave to real traffic, and a threshold for a rate of them',
  options: [
    { flags: '--check <name>', description: 'only this check, by the name of its entry' },
    { flags: '--days <number>', description: 'the last days, from 1 to 31', default: '7' },
    { flags: '--rate <number>', description: 'requests per hundred that may count, from 0 to 50', default: '1' },
  ],
  run: async ({ options }, { home, print }) => {
    const { check, days, rate } = options as unknown as ScoresOptions
    const counts = await readShadowScores(home, numberOf('--days', days, 1, 31))
    const shown = Object.entries(counts).filter(([name]) => check === undefined || name.endsWith(` ${check}`))
    if (!shown.length) throw failure('invalid_request', { problem: missing(check, Object.keys(counts), days) })
    const perHundred = numberOf('--rate', rate, 0, 50)
    for (const [name, bins] of shown.sort()) for (const line of report(name, bins, days, perHundred)) print(line)
  },
}

const missing = (check: string | undefined, names: readonly string[], days: string): string =>
  names.length && check !== undefined
    ? `no check "${check}" ran in shadow mode; there are: ${names.map((name) => name.replace(/^.* /, '')).join(', ')}`
    : `no check ran in shadow mode in the last ${days} days: give its entry in a policy "mode: shadow", and come back later`

/** The number of requests with at least the score of each bin. */
const atOrAbove = (bins: readonly number[]): number[] => {
  let sum = 0
  return bins
    .toReversed()
    .map((count) => (sum += count))
    .toReversed()
}

/** Bins in a line of the table. */
const binsPerLine = scoreBins / 10

const report = (name: string, bins: readonly number[], days: string, rate: number): string[] => {
  const above = atOrAbove(bins)
  const total = above[0] ?? 0
  const lines = above.flatMap((count, bin) => {
    if (bin % binsPerLine) return []
    const own = count - (above[bin + binsPerLine] ?? 0)
    return [[(bin / scoreBins).toFixed(1), `${own}`, `${count}`, ((100 * count) / total).toFixed(2)]]
  })
  const bin = above.findIndex((count) => count <= (rate * total) / 100)
  const reason =
    rate > 0 && total * rate < 100
      ? `that can be observed in ${Math.ceil(100 / rate)} requests or more`
      : 'more have the score 1'
  const proposal =
    bin < 0
      ? `No threshold lets only ${rate} of a hundred count: ${reason}.`
      : `A threshold of ${bin / scoreBins} lets ${above[bin] ?? 0} of ${total} count, at most ${rate} of a hundred.`
  return [
    `${name}: ${total} requests, in ${days} days`,
    '',
    ...alignColumns([['score from', 'requests', 'at or above', 'per 100'], ...lines], { right: [0, 1, 2, 3] }),
    '',
    proposal,
    '',
  ]
}
