import { mapBounded } from '@sallyport/kit/async'
import { failure, inspectionsAtOnce } from '@sallyport/core'
import type { CommandDefinition } from '@sallyport/core'
import { alignColumns } from '@sallyport/kit/text'
import { configOption } from '../config-file.js'
import { withDetectors } from './detectors.js'
import type { Detector } from './detectors.js'
import { areaUnderCurve, metricsAt, thresholdForBestF1, thresholdForFalseAlarms } from './metrics.js'
import type { ThresholdMetrics, ScoredRow } from './metrics.js'
import { readRows } from './rows.js'
import type { LabelledRow } from './rows.js'

interface EvalOptions {
  readonly config?: string
  readonly check?: string
  readonly falseAlarms: string
}

export const evalCommand: CommandDefinition = {
  name: 'eval',
  description: 'measure a detector on labelled rows, and suggest a threshold',
  arguments: [
    {
      name: '<file>',
      description:
        'JSON Lines: {"text": "…", "label": 1}, or 0; 1 is what the detector is to find (an attack, a secret, ' +
        'a text that its "reference" does not support)',
    },
  ],
  options: [
    configOption,
    { flags: '--check <name>', description: 'which check (default: the only one there is)' },
    { flags: '--false-alarms <part>', description: 'part of harmless rows that may count', default: '0.01' },
  ],
  run: async ({ arguments: [file = ''], options }, { print }) => {
    const { config, check, falseAlarms } = options as unknown as EvalOptions
    const max = Number(falseAlarms)
    if (!(max >= 0 && max < 1))
      throw failure('invalid_request', { field: '--false-alarms', problem: 'must be a number from 0 to below 1' })
    const rows = readRows(file)
    await withDetectors(config, async (detectors) => {
      const detector = chooseDetector(detectors, check)
      const scored = await scoreAll(detector, rows)
      for (const line of report(detector, file, scored, max)) print(line)
    })
  },
}

/** @throws invalid_request */
const chooseDetector = (detectors: readonly Detector[], name: string | undefined): Detector => {
  const [detector, ...others] = name === undefined ? detectors : detectors.filter((each) => each.name === name)
  if (detector && !others.length) return detector
  const mistake = name === undefined ? 'is required' : `there is no detector "${name}"`
  const problem = `${mistake}: there are ${detectors.map((each) => each.name).join(', ')}`
  throw failure('invalid_request', { field: '--check', problem })
}

const scoreAll = (detector: Detector, rows: readonly LabelledRow[]): Promise<ScoredRow[]> =>
  mapBounded(rows, inspectionsAtOnce, async ({ label, ...request }) => {
    const { score, findings } = await detector.inspect(request)
    return { label, score: scoreOf(detector, score, findings) }
  })

/** The score of a check of spans is that of its surest finding: undefined where there is none. */
const scoreOf = ({ kind }: Detector, score: number, findings: readonly { readonly score: number }[]) =>
  kind === 'spans' ? findings.map((finding) => finding.score).sort((a, b) => b - a)[0] : score

const report = ({ name, threshold }: Detector, file: string, rows: readonly ScoredRow[], max: number): string[] => {
  const positives = rows.filter(({ label }) => label).length
  const { area, low, high } = areaUnderCurve(rows)
  const suggested = thresholdForFalseAlarms(rows, max)
  const table = [
    ['', 'threshold', 'precision', 'recall', 'F1', 'false alarms'],
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
  ]
}

const rowOf = (name: string, metrics: ThresholdMetrics | undefined): string[][] => {
  if (!metrics) return []
  const { threshold, precision, recall, f1, falseAlarms } = metrics
  return [[name, ...[threshold, precision, recall, f1].map((value) => value.toFixed(3)), percent(falseAlarms)]]
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
