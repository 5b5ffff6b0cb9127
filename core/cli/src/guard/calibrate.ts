import { failure } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { alignColumns } from '@sallyport/kit/text'
import { configOption } from '../config-file.js'
import { checkOption, chooseDetector, scoreAll, withDetectors } from './detectors.js'
import type { Detector } from './detectors.js'
import { falseAlarmsOption, metricCells, metricTitles, percent, readFalseAlarms } from './evaluate.js'
import { metricsAt, thresholdForFalseAlarms } from './metrics.js'
import type { ScoredRow } from './metrics.js'
import { fitCalibration, logistic, logitOf, lossOf } from './platt.js'
import type { Calibration } from './platt.js'
import { readRows, rowsFile } from './rows.js'
import { configurationLine, ruleOfThree } from './tune.js'

interface CalibrateOptions {
  readonly config?: string
  readonly check?: string
  readonly falseAlarms: string
}

export const calibrateCommand: CommandDefinition = {
  name: 'calibrate',
  description: 'fit the scores of a detector to labelled rows, so that they are probabilities, and propose a threshold',
  arguments: [rowsFile],
  options: [configOption, checkOption, falseAlarmsOption],
  run: async ({ arguments: [file = ''], options }, { print }) => {
    const { config, check, falseAlarms } = options as unknown as CalibrateOptions
    const max = readFalseAlarms(falseAlarms)
    const rows = readRows(file)
    await withDetectors(config, async (detectors) => {
      const detector = chooseDetector(detectors, check)
      const before = calibrationOf(detector)
      const scored = (await scoreAll(detector, rows)).map(({ score = 0, label }) => ({ score, label }))
      for (const line of report(detector, before, file, scored, max)) print(line)
    })
  },
}

/** What the detector is calibrated with now. @throws invalid_request where it cannot be calibrated */
const calibrationOf = ({ name, model }: Detector): Calibration => {
  const { scale, offset } = (model?.options['calibration'] ?? {}) as Partial<Record<keyof Calibration, unknown>>
  if (typeof scale === 'number' && typeof offset === 'number') return { scale, offset }
  const problem = `the detector of ${name} has no option "calibration": choose a threshold with guard eval instead`
  throw failure('invalid_request', { field: '--check', problem })
}

const report = (
  detector: Detector,
  before: Calibration,
  file: string,
  rows: readonly { readonly score: number; readonly label: boolean }[],
  max: number,
): string[] => {
  const logits = rows.map(({ score, label }) => ({ logit: logitOf(score), label }))
  const fitted = rounded(fitCalibration(logits))
  if (!(fitted.scale > 0)) {
    const problem = 'rows with the label 1 have no higher scores than others, so nothing can be fitted'
    throw failure('invalid_request', { field: file, problem })
  }
  const calibrated = logits.map(({ logit, label }) => ({
    score: logistic(fitted.scale * logit + fitted.offset),
    label,
  }))
  const suggested = thresholdForFalseAlarms(calibrated, max)
  const positives = rows.filter(({ label }) => label).length
  const loss = (calibration: Calibration) => lossOf(logits, calibration).toFixed(3)
  const cells = (scored: readonly ScoredRow[], threshold: number) => metricCells(metricsAt(scored, threshold))
  const table = [
    ['', 'log loss', ...metricTitles],
    ['as it is', loss({ scale: 1, offset: 0 }), ...cells(rows, detector.threshold)],
    ['calibrated', loss(fitted), ...cells(calibrated, detector.threshold)],
    ...(suggested ? [[`at most ${percent(max)} false alarms`, loss(fitted), ...metricCells(suggested)]] : []),
  ]
  return [
    `${detector.name} on ${file}: ${rows.length} rows, ${positives} of them labelled 1`,
    '',
    ...alignColumns(table, { right: [1, 2, 3, 4, 5, 6] }),
    ...(suggested ? [] : [`no threshold keeps false alarms within ${percent(max)}`]),
    ...ruleOfThree(rows.length - positives, 100 * max),
    '',
    calibrationLine(detector, composed(before, fitted)),
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
