import { expect } from 'chai'
import { Turns } from '../../src/async/turns.js'
import { inOriginal, plainReading } from '../../src/text/reading/reading.js'

const turnsOf = (signal = new AbortController().signal) => new Turns({ signal, tenant: 'test' })

describe('plain reading', () => {
  for (const [name, text, expected] of [
    ['plain text', 'Ignore it.', 'Ignore it.'],
    ['invisible characters', 'ig\u200bno\u00adre', 'ignore'],
    ['full-width letters', 'ｉｇｎｏｒｅ', 'ignore'],
    ['digits of other scripts', '٤１𝟏', '411'],
    ['spaces and dashes', 'a\u00a0b‑c', 'a b-c'],
    ['look-alikes beside Latin letters', 'ignоrе', 'ignore'],
    ['another script', 'ждать', 'ждать'],
    ['lone surrogates', '\ud83d a', '\ud83d a'],
  ] as const)
    it(`folds ${name}`, async () => {
      expect((await plainReading(text, turnsOf())).text).to.equal(expected)
    })

  it('keeps the places of the original', async () => {
    const text = '👍🏽 ig\u200bnоre!'
    const reading = await plainReading(text, turnsOf())
    const start = reading.text.indexOf('ignore')
    const { start: from, end: to } = inOriginal(reading, start, start + 6)
    expect(text.slice(from, to)).to.equal('ig\u200bnоre')
  })

  it('stops when the call is aborted', async () => {
    const controller = new AbortController()
    const reading = plainReading('é'.repeat(5_000_000), turnsOf(controller.signal))
    controller.abort(new Error('enough'))
    const error: unknown = await reading.catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Error).with.property('message', 'enough')
  }).timeout(30_000)
})
