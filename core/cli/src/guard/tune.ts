import { failure } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { alignColumns } from '@sallyport/kit/text'
import { configOption } from '../config-file.js'
import { checkOption, chooseDetector, scoreAll, withDetectors } from './detectors.js'
import type { Detector } from './detectors.js'
import { alarmCells, alarmRateOf, ruleOfThree } from './false-alarms.js'
import { numberOf } from './number-option.js'
import { originOption, readHarmless, readOrigin } from './rows.js'
import type { TextRow } from './rows.js'

interface TuneOptions {
  readonly config?: string
  readonly check?: string
  readonly rate: string
  readonly genre?: string
  readonly origin?: string
}

type TunedRow = TextRow & { readonly score: number }

export const tuneCommand: CommandDefinition = {
  name: 'tune',
  description: 'propose a threshold for a rate of false alarms, from harmless texts without labels',
  arguments: [
    {
      name: '<file>',
      description: 'harmless texts: JSON Lines, {"text": "…", "origin": "document"}, or the lines of a .txt file',
    },
  ],
  options: [
    configOption,
    checkOption,
    { flags: '--rate <number>', description: 'false alarms per hundred texts, from 0 to 50', default: '1' },
    { flags: '--genre <word>', description: 'only rows whose "genre" this is' },
    originOption,
  ],
  run: async ({ arguments: [file = ''], options }, { print }) => {
    const { config, check, rate: written, genre, origin } = options as unknown as TuneOptions
    const rate = numberOf('--rate', written, 0, 50)
    const rows = readHarmless(file, readOrigin(origin), genre)
    await withDetectors(config, async (detectors) => {
      const detector = chooseDetector(detectors, check)
      requireScores(detector, file, rows)
      const scored = (await scoreAll(detector, rows)).map(({ score = 0, ...row }) => ({ ...row, score }))
      for (const line of report(detector, file, scored, rate)) print(line)
    })
  },
}

/** @throws invalid_request for a check that finds spans, and for texts that a comparison has nothing to compare with */
const requireScores = ({ name, kind }: Detector, file: string, rows: readonly TextRow[]): void => {
  const problem = `${name} finds spans and gives texts no score: leave types out with "ignore" instead`
  if (kind === 'spans') throw failure('invalid_request', { field: '--check', problem })
  const bare = kind === 'comparison' && rows.find(({ reference }) => reference === undefined)
  if (!bare) return
  const lack = `must have a "reference", which ${name} compares its text with`
  throw failure('invalid_request', { field: `${file}:${bare.line}`, problem: lack })
}

/**
 * The lowest threshold, in as few decimals as possible, that at most this many of a hundred scores reach; undefined where
 * too many are 1.
 * @param scores from 0 to 1, in any order
 */
export const thresholdForRate = (scores: readonly number[], rate: number): number | undefined => {
  const sorted = scores.toSorted((a, b) => b - a)
  const next = sorted[Math.floor((rate * sorted.length) / 100)] ?? 1
  if (next >= 1) return undefined
  const lowestAbove = sorted.findLast((score) => score > next) ?? 1
  const rounded = [2, 3, 4, 5, 6].map((decimals) => Number((next + 10 ** -decimals).toFixed(decimals)))
  return rounded.find((threshold) => threshold <= lowestAbove) ?? lowestAbove
}

const report = (detector: Detector, file: string, rows: readonly TunedRow[], rate: number): string[] => {
  const scores = rows.map(({ score }) => score)
  const threshold = thresholdForRate(scores, rate)
  if (threshold === undefined) {
    const problem = `${scores.filter((score) => score >= 1).length} of ${rows.length} texts have the score 1, so no threshold lets only ${rate} of a hundred count`
    throw failure('invalid_request', { field: file, problem })
  }
  const rateAt = (from: number) => alarmRateOf(rows.map((row) => ({ ...row, alarm: row.score >= from })))
  const cells = (name: string, from: number) => [name, `${from}`, ...alarmCells(rateAt(from), 100)]
  return [
    `${detector.name} on ${file}: ${rows.length} texts, taken for harmless`,
    '',
    ...alignColumns(
      [
        ['', 'threshold', 'texts', 'at or above', 'per 100', '95 %'],
        cells('proposed', threshold),
        cells('configured', detector.threshold),
      ],
      { right: [1, 2, 3, 4, 5] },
    ),
    ...ruleOfThree(rows.length, rate),
    '',
    ...highestScores(rows),
    '',
    configurationLine(detector, threshold),
  ]
}

const highestScores = (rows: readonly TunedRow[]): string[] => {
  const highest = rows.toSorted((a, b) => b.score - a.score).slice(0, 10)
  return alignColumns([['line', 'score'], ...highest.map(({ line, score }) => [`${line}`, score.toFixed(4)])], {
    right: [0, 1],
  })
}

export const configurationLine = ({ name, check, stage }: Detector, threshold: number): string => {
  const entry = `{ ${name === check ? '' : `check: ${check}, `}threshold: ${threshold} }`
  return `policies: { default: { ${stage}: { ${name}: ${entry} } } }`
}
