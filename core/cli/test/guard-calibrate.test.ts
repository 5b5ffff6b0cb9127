/** `sallyport guard calibrate`, with a detector whose logit of a text is the number that the text begins with. */

import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError } from '@sallyport/core'
import { root } from '@sallyport/stand-ins/command-line'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { calibrateCommand } from '../src/guard/calibrate.js'
import { fitCalibration, lossOf, targetsOf } from '../src/guard/platt.js'
import type { Calibration, LabelledLogit } from '../src/guard/platt.js'
import { createLogger } from '../src/logging.js'

const probabilityOf = ({ scale, offset }: Calibration, logit: number) => 1 / (1 + Math.exp(-(scale * logit + offset)))

describe('the fit of a calibration', () => {
  const rows = fc
    .array(fc.record({ logit: fc.double({ min: -12, max: 12, noNaN: true }), label: fc.boolean() }), {
      minLength: 2,
      maxLength: 60,
    })
    .filter((all) => new Set(all.map(({ label }) => label)).size === 2)

  it('is where the loss does not fall in any direction', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const { scale, offset } = fitCalibration(all)
        const least = lossOf(all, { scale, offset })
        for (const [more, higher] of [
          [1e-3, 0],
          [-1e-3, 0],
          [0, 1e-3],
          [0, -1e-3],
        ] as const)
          expect(lossOf(all, { scale: scale + more, offset: offset + higher })).to.be.at.least(least - 1e-9)
      }),
      { numRuns: 300 },
    )
  })

  it('expects as many rows with the label 1 as there are', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const calibration = fitCalibration(all)
        const targetOf = targetsOf(all)
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
        const expected = sum(all.map(({ logit }) => probabilityOf(calibration, logit)))
        expect(expected).to.be.closeTo(sum(all.map(targetOf)), 1e-3)
      }),
      { numRuns: 300 },
    )
  })

  it('finds what rows were drawn with', () => {
    const truth = { scale: 0.4, offset: -1.5 }
    // of each logit a thousand rows, labelled as often as the probability says
    const drawn = [-10, -6, -3, 0, 3, 6, 10].flatMap((logit) =>
      Array.from({ length: 1000 }, (_, index): LabelledLogit => {
        return { logit, label: index < 1000 * probabilityOf(truth, logit) }
      }),
    )
    const { scale, offset } = fitCalibration(drawn)
    expect(scale).to.be.closeTo(truth.scale, 0.01)
    expect(offset).to.be.closeTo(truth.offset, 0.02)
  })

  it('is finite where a threshold tells all rows apart', () => {
    const { scale, offset } = fitCalibration([
      { logit: -1, label: false },
      { logit: 1, label: true },
    ])
    // both rows get their targets, 1/3 and 2/3: the logits are ∓log 2
    expect(scale).to.be.closeTo(Math.log(2), 1e-6)
    expect(offset).to.be.closeTo(0, 1e-6)
  })
})

describe('guard calibrate', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()
  directory.write(
    'numbers.mjs',
    `import { definePlugin, inject, injectable, modelSpec, provide, scoreCheck } from '@sallyport/core'
    const capability = scoreCheck('numbers', { stages: { output: 'Looks.' }, order: 10, message: 'found' })
    const number = (value) => ({ type: 'number', default: value })
    const options = { type: 'object', properties: {
      calibration: { type: 'object', default: {}, properties: { scale: number(1), offset: number(0) } },
    } }
    class Numbers {
      constructor(spec) {
        const { scale, offset } = spec.options.calibration
        this.load = async () => ({ provides: [provide(capability, { inspect: async ({ text }) => {
          const calibrated = 1 / (1 + Math.exp(-(scale * parseFloat(text) + offset)))
          // a rule adds to what was calibrated
          const score = text.includes('rule') ? 1 - (1 - calibrated) * 0.4 : calibrated
          return { findings: [], score, explanation: '', detector: 'numbers', latency: 0 }
        } })] })
      }
    }
    inject(modelSpec)(Numbers, undefined, 0)
    injectable()(Numbers)
    const backend = { description: 'x', capabilities: [capability], class: Numbers, files: 'none', options }
    export default definePlugin({ name: 'numbers', backends: { numbers: backend } })`,
  )
  const withCalibration = (name: string, calibration?: Calibration) => {
    const options = calibration ? { calibration } : {}
    const models = { counter: { backend: 'numbers', options } }
    return directory.write(name, JSON.stringify({ plugins: ['./numbers.mjs'], models }))
  }
  const config = withCalibration('numbers.json')
  const reference = directory.write('reference.yaml', `plugins: ['${root}core/testing/dist/src/reference/index.js']\n`)

  const logger = createLogger({ level: 'warn', format: 'auto', exceptions: 'frames' })
  const calibrate = async (file: string, options: Readonly<Record<string, string>> = {}): Promise<string> => {
    const lines: string[] = []
    const context = { options: {}, home: directory.path, logger, print: (line: string) => void lines.push(line) }
    const given = { config, falseAlarms: '0.01', ...options }
    await calibrateCommand.run?.({ arguments: [file], options: given }, context)
    return lines.join('\n').replaceAll(`${directory.path}/`, '')
  }

  /** An overconfident detector: of logits down to -8 and up to 9, a quarter is wrong. */
  const overconfident = [-8, -4, 4, 9].flatMap((logit) =>
    Array.from({ length: 40 }, (_, index) => ({ text: `${logit} words`, label: Number(index < 10 !== logit > 0) })),
  )
  const write = (rows: readonly object[]) =>
    directory.write('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
  const fitted = fitCalibration(
    overconfident.map(({ text, label }) => ({ logit: parseFloat(text), label: label === 1 })),
  )

  it('fits rows, and prints what to paste', async () => {
    const output = await calibrate(write(overconfident), { falseAlarms: '0.3' })
    const { scale, offset } = fitted
    const [line, policy] = output.split('\n').slice(-2)
    expect(output).to.match(/^numbers on rows\.jsonl: 160 rows, 80 of them labelled 1$/m)
    expect(output).to.match(/^as it is +\d\.\d{3} +0\.500 +0\.750 +0\.750 /m)
    expect(output).to.match(/^calibrated +\d\.\d{3} +0\.500 +0\.750 +0\.750 /m)
    const written = `{ scale: ${Number(scale.toPrecision(4))}, offset: ${Number(offset.toFixed(4))} }`
    expect(line).to.equal(`models: { counter: { options: { calibration: ${written} } } }`)
    expect(policy).to.match(/^policies: \{ default: \{ output: \{ numbers: \{ threshold: 0\.\d+ \} \} \} \}$/)
    const losses = Array.from(output.matchAll(/^(?:as it is|calibrated) +(\d\.\d{3})/gm), ([, loss]) => Number(loss))
    expect(losses[1]).to.be.below(losses[0] ?? 0)
  })

  const calibrationIn = (output: string): Calibration => {
    const [, scale = '', offset = ''] = /scale: (\S+), offset: (\S+) \}/.exec(output) ?? []
    return { scale: Number(scale), offset: Number(offset) }
  }

  it('says what the calibration before and its own make together', async () => {
    const rows = write(overconfident)
    const { scale, offset } = calibrationIn(await calibrate(rows))
    const config = withCalibration('again.json', { scale: 0.5, offset: 1 })
    const again = calibrationIn(await calibrate(rows, { config }))
    expect(again.scale).to.be.closeTo(scale, 1e-3)
    expect(again.offset).to.be.closeTo(offset, 1e-3)
  })

  it('tells the figures of the scores that the detector gives with what was printed, rules included', async () => {
    const ruled = overconfident.map(({ text, label }, index) => ({ text: index % 4 ? text : `${text} rule`, label }))
    const rows = write(ruled)
    const first = await calibrate(rows, { falseAlarms: '0.3' })
    const again = await calibrate(rows, { config: withCalibration('fitted.json', calibrationIn(first)) })
    const figures = (output: string, row: string) => new RegExp(`^${row} +(\\d.*)$`, 'm').exec(output)?.[1]
    expect(figures(first, 'calibrated')).to.equal(figures(again, 'as it is'))
  })

  it('says what few harmless rows cannot promise', async () => {
    expect(await calibrate(write(overconfident))).to.contain(
      'With 80 texts, no rate under 3.8 of a hundred can be promised (3/n); 1 of a hundred takes 300 texts.',
    )
  })

  const worse = 'Calibrated, the scores fit these rows no better: keep them as they are.'

  it('leaves alone what has been calibrated', async () => {
    const rows = write(overconfident)
    const config = withCalibration('again.json', calibrationIn(await calibrate(rows)))
    expect((await calibrate(rows, { config })).split('\n')).to.include(worse)
  })

  it('proposes a threshold for the scores as they are, and no calibration, where a fit is no better', async () => {
    // No calibration lowers what the rule adds, and the others are where they should be.
    const certain = ['-9 rule', '-3.7', '3.7'].flatMap((text) =>
      Array.from({ length: 40 }, () => ({ text, label: Number(text === '3.7') })),
    )
    const lines = (await calibrate(write(certain))).split('\n')
    expect(lines.slice(-2)).to.deep.equal([
      worse,
      'policies: { default: { output: { numbers: { threshold: 0.788 } } } }',
    ])
    expect(lines.join('\n')).not.to.contain('calibration:')
    expect(await calibrate(write(overconfident))).not.to.contain(worse)
  })

  const backwards = overconfident.map(({ text, label }) => ({ text, label: 1 - label }))
  const mistakes: [name: string, rows: readonly object[], options: Record<string, string>, message: string][] = [
    ['rows of one label', [{ text: '1', label: 1 }], {}, 'rows.jsonl: has no row with the label 0'],
    [
      'scores that fall where they should rise',
      backwards,
      {},
      'rows.jsonl: rows with the label 1 have no higher scores',
    ],
    ['a part above 1', overconfident, { falseAlarms: '7' }, '--false-alarms: must be a number from 0 to below 1'],
    [
      'a detector without the option',
      overconfident,
      { config: reference, check: 'injection' },
      '--check: the detector of injection has no option "calibration"',
    ],
  ]
  for (const [name, rows, options, message] of mistakes)
    it(`refuses ${name}`, async () => {
      const error: unknown = await calibrate(write(rows), options).catch((thrown: unknown) => thrown)
      if (!isSallyportError(error)) throw error
      expect(error.code).to.equal('invalid_request')
      expect(error.message).to.contain(message)
    })
})
