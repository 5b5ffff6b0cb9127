import { writeFileSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { alignColumns, withoutControls } from '@sallyport/kit/text'
import { configOption } from '../config-file.js'
import { drawCurve, plotCurve } from './curve.js'
import { checkOption, chooseDetector, scoreAll, withDetectors } from './detectors.js'
import type { Detector } from './detectors.js'
import { alarmCells, alarmRateOf, ruleOfThree } from './false-alarms.js'
import { areaUnderCurve, metricsAt, sweep, thresholdForBestF1, thresholdForFalseAlarms } from './metrics.js'
import type { ThresholdMetrics } from './metrics.js'
import { originOption, readOrigin, readRows, rowsFile } from './rows.js'
import type { LabelledRow } from './rows.js'

interface EvalOptions {
  readonly config?: string
  readonly check?: string
  readonly falseAlarms: string
  readonly origin?: string
  /** True: in the terminal; a text: into this file. */
  readonly curve?: string | true
}

type EvalRow = LabelledRow & { readonly score: number | undefined }

export const falseAlarmsOption = {
  flags: '--false-alarms <part>',
  description: 'part of harmless rows that may count',
  default: '0.01',
}

/** @param written the value of the option `--false-alarms` @throws invalid_request */
export const readFalseAlarms = (written: string): number => {
  const max = Number(written)
  if (max >= 0 && max < 1) return max
  throw failure('invalid_request', { field: '--false-alarms', problem: 'must be a number from 0 to below 1' })
}

export const evalCommand: CommandDefinition = {
  name: 'eval',
  description: 'measure a detector on labelled rows, and suggest a threshold',
  arguments: [rowsFile],
  options: [
    configOption,
    checkOption,
    falseAlarmsOption,
    originOption,
    { flags: '--curve [file.svg]', description: 'draw recall against false alarms, here or into a file' },
  ],
  run: async ({ arguments: [file = ''], options }, { print }) => {
    const { config, check, falseAlarms, origin, curve } = options as unknown as EvalOptions
    const max = readFalseAlarms(falseAlarms)
    if (typeof curve === 'string' && !curve.toLowerCase().endsWith('.svg'))
      throw failure('invalid_request', { field: '--curve', problem: 'must be a file whose name ends with .svg' })
    const rows = readRows(file, readOrigin(origin))
    // What cannot be written fails before hours of measuring.
    if (typeof curve === 'string') writeCurve(curve, '', 'a')
    await withDetectors(config, async (detectors) => {
      const detector = chooseDetector(detectors, check)
      const scored = await scoreAll(detector, rows)
      for (const line of report(detector, file, scored, max)) print(line)
      for (const line of curve === undefined ? [] : curveLines(detector, scored, curve)) print(line)
    })
  },
}

const report = ({ name, threshold }: Detector, file: string, rows: readonly EvalRow[], max: number): string[] => {
  const positives = rows.filter(({ label }) => label).length
  const { area, low, high } = areaUnderCurve(rows)
  const suggested = thresholdForFalseAlarms(rows, max)
  const table = [
    ['', ...metricTitles],
    ...rowOf('configured', metricsAt(rows, threshold)),
    ...rowOf(`at most ${percent(max)} false alarms`, suggested),
    ...rowOf('best F1', thresholdForBestF1(rows)),
  ]
  return [
    `${name} on ${file}: ${rows.length} rows, ${positives} of them labelled 1`,
    `AUC ${area.toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`,
    '',
    ...alignColumns(table, { right: [1, 2, 3, 4, 5] }),
    '',
    suggested
      ? `suggested threshold: ${suggested.threshold.toFixed(3)}`
      : `no threshold keeps false alarms within ${percent(max)}`,
    ...ruleOfThree(rows.length - positives, 100 * max),
    '',
    ...falseAlarmLines(rows, threshold),
  ]
}

/** False alarms at a threshold, of all harmless rows and by genre. */
const falseAlarmLines = (rows: readonly EvalRow[], threshold: number): string[] => {
  const harmless = rows
    .filter(({ label }) => !label)
    .map(({ score, genre = 'none', source }) => ({ genre, source, alarm: score !== undefined && score >= threshold }))
  const genres = rows.some(({ genre }) => genre !== undefined) ? new Set(harmless.map(({ genre }) => genre)) : []
  const groups = [
    { name: 'all', texts: harmless },
    ...[...genres].sort().map((name) => ({ name, texts: harmless.filter(({ genre }) => genre === name) })),
  ]
  const table = groups.map(({ name, texts }) => {
    const rate = alarmRateOf(texts)
    return [withoutControls(name), `${rate.independent}`, ...alarmCells(rate, 1000)]
  })
  const withHeader = [['', 'sources', 'texts', 'alarms', 'per 1000', '95 %'], ...table]
  const hasSources = harmless.some(({ source }) => source !== undefined)
  return [
    `false alarms among harmless texts, at the configured threshold ${threshold.toFixed(3)}`,
    '',
    ...alignColumns(hasSources ? withHeader : withHeader.map(withoutSources), { right: [1, 2, 3, 4, 5] }),
  ]
}

const withoutSources = ([name = '', , ...rest]: readonly string[]): string[] => [name, ...rest]

const curveLines = ({ name }: Detector, rows: readonly EvalRow[], curve: string | true): string[] => {
  const points = sweep(rows)
  if (curve === true) return ['', ...plotCurve(points)]
  writeCurve(curve, drawCurve(`${name}: recall against false alarms, ${rows.length} texts`, points))
  return ['', `curve: ${curve}`]
}

/** @throws invalid_request */
const writeCurve = (file: string, content: string, flag = 'w'): void => {
  try {
    writeFileSync(file, content, { flag })
  } catch (cause) {
    throw failure('invalid_request', { field: file, problem: 'cannot be written: does its folder exist?' }, { cause })
  }
}

const rowOf = (name: string, metrics: ThresholdMetrics | undefined): string[][] =>
  metrics ? [[name, ...metricCells(metrics)]] : []

export const metricTitles = ['threshold', 'precision', 'recall', 'F1', 'false alarms']

export const metricCells = ({ threshold, precision, recall, f1, falseAlarms }: ThresholdMetrics): string[] => [
  ...[threshold, precision, recall, f1].map((value) => value.toFixed(3)),
  percent(falseAlarms),
]

export const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
