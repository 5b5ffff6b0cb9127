import { failure } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import type { ConfigOverride } from '@sallyport/config'
import { alignColumns } from '@sallyport/kit/text'
import { configOption } from '../config-file.js'
import { checkOption, chooseDetector, scoreAll, withDetectors } from './detectors.js'
import type { Detector } from './detectors.js'
import { falseAlarmsOption, metricCells, metricTitles, percent, readFalseAlarms } from './evaluate.js'
import { ruleOfThree } from './false-alarms.js'
import { metricsAt, thresholdForFalseAlarms } from './metrics.js'
import { fitCalibration, logitOf, lossOf } from './platt.js'
import type { Calibration } from './platt.js'
import { originOption, readOrigin, readRows, rowsFile } from './rows.js'
import { configurationLine } from './tune.js'

interface CalibrateOptions {
  readonly config?: string
  readonly check?: string
  readonly falseAlarms: string
  readonly origin?: string
}

interface CalibratedRow {
  readonly score: number
  readonly label: boolean
}

export const calibrateCommand: CommandDefinition = {
  name: 'calibrate',
  description: 'fit the scores of a detector to labelled rows, so that they are probabilities, and propose a threshold',
  arguments: [rowsFile],
  options: [configOption, checkOption, falseAlarmsOption, originOption],
  run: async ({ arguments: [file = ''], options }, { print }) => {
    const { config, check, falseAlarms, origin } = options as unknown as CalibrateOptions
    const max = readFalseAlarms(falseAlarms)
    const rows = readRows(file, readOrigin(origin))
    const scoreWith = (overrides: readonly ConfigOverride[] = []) =>
      withDetectors(
        config,
        async (detectors) => {
          const detector = chooseDetector(detectors, check)
          const before = calibrationOf(detector)
          const scored = await scoreAll(detector, rows)
          return { detector, before, scored: scored.map(({ score = 0, label }) => ({ score, label })) }
        },
        overrides,
      )
    const { detector, before, scored } = await scoreWith()
    const fitted = composed(before, fit(file, scored))
    // Rules add to what is calibrated, so only the detector knows its scores.
    const path = ['models', detector.model?.id ?? '', 'options', 'calibration']
    const calibrated = await scoreWith([{ path, value: fitted }])
    for (const line of report(detector, file, { fitted, scored, calibrated: calibrated.scored, max })) print(line)
  },
}

/** What the detector is calibrated with now. @throws invalid_request where it cannot be calibrated */
const calibrationOf = ({ name, model }: Detector): Calibration => {
  const { scale, offset } = (model?.options['calibration'] ?? {}) as Partial<Record<keyof Calibration, unknown>>
  if (typeof scale === 'number' && typeof offset === 'number') return { scale, offset }
  const problem = `the detector of ${name} has no option "calibration": choose a threshold with guard eval instead`
  throw failure('invalid_request', { field: '--check', problem })
}

const logitsOf = (rows: readonly CalibratedRow[]) => rows.map(({ score, label }) => ({ logit: logitOf(score), label }))

/** @throws invalid_request, which names the file, where higher scores do not mean the label 1 */
const fit = (file: string, rows: readonly CalibratedRow[]): Calibration => {
  const fitted = rounded(fitCalibration(logitsOf(rows)))
  if (fitted.scale > 0) return fitted
  const problem = 'rows with the label 1 have no higher scores than others, so nothing can be fitted'
  throw failure('invalid_request', { field: file, problem })
}

interface Calibrated {
  readonly fitted: Calibration
  /** The rows with their scores before. */
  readonly scored: readonly CalibratedRow[]
  /** The rows with their scores after. */
  readonly calibrated: readonly CalibratedRow[]
  readonly max: number
}

const report = (detector: Detector, file: string, { fitted, scored, calibrated, max }: Calibrated): string[] => {
  const positives = scored.filter(({ label }) => label).length
  const loss = (rows: readonly CalibratedRow[]) => lossOf(logitsOf(rows), { scale: 1, offset: 0 })
  const isBetter = loss(calibrated) < loss(scored)
  const kept = isBetter ? calibrated : scored
  const suggested = thresholdForFalseAlarms(kept, max)
  const cells = (rows: readonly CalibratedRow[]) => [
    loss(rows).toFixed(3),
    ...metricCells(metricsAt(rows, detector.threshold)),
  ]
  const table = [
    ['', 'log loss', ...metricTitles],
    ['as it is', ...cells(scored)],
    ['calibrated', ...cells(calibrated)],
    ...(suggested ? [[`at most ${percent(max)} false alarms`, loss(kept).toFixed(3), ...metricCells(suggested)]] : []),
  ]
  return [
    `${detector.name} on ${file}: ${scored.length} rows, ${positives} of them labelled 1`,
    '',
    ...alignColumns(table, { right: [1, 2, 3, 4, 5, 6] }),
    ...(suggested ? [] : [`no threshold keeps false alarms within ${percent(max)}`]),
    ...ruleOfThree(scored.length - positives, 100 * max),
    '',
    isBetter
      ? calibrationLine(detector, fitted)
      : 'Calibrated, the scores fit these rows no better: keep them as they are.',
    ...(suggested ? [configurationLine(detector, Number(suggested.threshold.toFixed(3)))] : []),
  ]
}

/** One calibration after another. */
const composed = (first: Calibration, second: Calibration): Calibration =>
  rounded({ scale: second.scale * first.scale, offset: second.scale * first.offset + second.offset })

const rounded = ({ scale, offset }: Calibration): Calibration => ({
  scale: Number(scale.toPrecision(4)),
  // a sum with 0 is never -0
  offset: Number(offset.toFixed(4)) + 0,
})

const calibrationLine = ({ model }: Detector, { scale, offset }: Calibration): string =>
  `models: { ${model?.id ?? ''}: { options: { calibration: { scale: ${scale}, offset: ${offset} } } } }`
