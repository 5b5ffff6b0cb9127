import { failure, isSallyportError } from '@sallyport/core'
import type { Claim, Inspected, Finding, CommandDefinition } from '@sallyport/core'
import { alignColumns, linesWithoutControls, withoutControls } from '@sallyport/kit/text'
import { colours } from '../colours.js'
import { configOption } from '../config-file.js'
import { withDetectors } from './detectors.js'
import type { Detector } from './detectors.js'
import { originOption, readOrigin } from './rows.js'

export const tryCommand: CommandDefinition = {
  name: 'try',
  description: 'show what each detector says of a text',
  arguments: [{ name: '<text>', description: 'what to inspect' }],
  options: [
    configOption,
    { flags: '--reference <text>', description: 'what the text must agree with; without it, comparisons are left out' },
    originOption,
  ],
  run: ({ arguments: [text = ''], options }, { print }) => {
    const { config, reference, origin } = options as { config?: string; reference?: string; origin?: string }
    const request = { text, ...(reference === undefined ? {} : { reference }), ...readOrigin(origin) }
    if (!text.trim()) throw failure('invalid_request', { field: '<text>', problem: 'must not be empty' })
    return withDetectors(config, async (detectors) => {
      for (const detector of detectors) {
        if (detector.kind === 'comparison' && reference === undefined) continue
        for (const line of await inspectionLines(detector, request)) print(line)
      }
    })
  },
}

/** A check that lacks its options, such as its lists of words, gets a line that says so; others still run. */
const inspectionLines = async (detector: Detector, request: Parameters<Detector['inspect']>[0]): Promise<string[]> => {
  const { text, reference = '' } = request
  try {
    const inspection = await detector.inspect(request)
    return [...describe(detector, text, inspection), ...claimLines(text, reference, inspection.claims ?? [])]
  } catch (error) {
    if (!isSallyportError(error) || error.code !== 'safeguard_unavailable') throw error
    return [`${colours.bold(detector.name)} ${colours.yellow('cannot say')}  ${error.message}`]
  }
}

const describe = ({ name, threshold }: Detector, text: string, inspection: Inspected): string[] => {
  const { score, findings, explanation, detector, latency, flagged } = inspection
  const mark = flagged ? colours.red('finds') : colours.green('passes')
  return [
    `${colours.bold(name)} ${mark}  score ${score.toFixed(3)}, threshold ${threshold}  ${colours.dim(`${detector}, ${latency.toFixed(1)} ms`)}`,
    ...(explanation ? [`  ${withoutControls(explanation)}`] : []),
    ...(findings.length ? [`  ${highlighted(text, findings)}`, ...table(text, findings)] : []),
  ]
}

const table = (text: string, findings: readonly Finding[]): string[] =>
  alignColumns(
    findings.map(({ type, start, end, score }) => [
      `    ${type}`,
      `${start}–${end}`,
      score.toFixed(2),
      quoted(text, { start, end }),
    ]),
  )

/** Each claim, and below it the sentences of the reference that support it. */
const claimLines = (text: string, reference: string, claims: readonly Claim[]): string[] =>
  claims.flatMap(({ start, end, score, support, differences }) => [
    `    ${score.toFixed(2)} ${quoted(text, { start, end })}${differences.length ? `  other: ${withoutControls(differences.join(', '))}` : ''}`,
    ...support.map((span) => colours.dim(`         ${quoted(reference, span)}`)),
  ])

/** JSON escapes only some of the control characters. */
const quoted = (text: string, { start, end }: Pick<Finding, 'start' | 'end'>): string =>
  withoutControls(JSON.stringify(text.slice(start, end)))

/** The text with its findings in colour. */
const highlighted = (written: string, findings: readonly Finding[]): string => {
  const text = linesWithoutControls(written)
  let [done, line] = [0, '']
  for (const { start, end } of findings.toSorted((a, b) => a.start - b.start)) {
    if (start < done) continue
    line += text.slice(done, start) + colours.yellow(colours.underline(text.slice(start, end)))
    done = end
  }
  return (line + text.slice(done)).replaceAll('\n', '\n  ')
}
