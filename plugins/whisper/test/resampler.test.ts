import { expect } from 'chai'
import fc from 'fast-check'
import { Resampler } from '../src/audio/resampler.js'
import { tone } from './support/sounds.js'

const resample = (samples: Float32Array, from: number, to: number, cuts: readonly number[] = []): Float32Array => {
  const resampler = new Resampler(from, to)
  const edges = [0, ...cuts.toSorted((a, b) => a - b), samples.length]
  const parts = edges.slice(1).map((end, index) => resampler.push(samples.subarray(edges[index], end)))
  return Float32Array.from([...parts, resampler.flush()].flatMap((part) => [...part]))
}

/** Decibels against a tone of amplitude 1, without the ends. */
const level = (samples: Float32Array): number => {
  const middle = samples.subarray(samples.length / 4, (3 * samples.length) / 4)
  return 10 * Math.log10((2 * middle.reduce((sum, value) => sum + value * value, 0)) / middle.length + 1e-20)
}

describe('the resampler', () => {
  for (const from of [8000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000, 44_056]) {
    it(`keeps what both rates can hold, from ${from} Hz`, () => {
      for (const hertz of [50, 1000, Math.min(from, 16_000) * 0.43])
        expect(level(resample(tone(hertz, from, 0.5, 1), from, 16_000)), `${hertz} Hz`).to.be.closeTo(0, 0.05)
    })

    it(`has as many samples as its length says, from ${from} Hz`, () => {
      const length = resample(new Float32Array(from), from, 16_000).length
      expect(length).to.be.within(15_999, 16_001)
    })
  }

  for (const from of [22_050, 44_100, 48_000, 192_000])
    it(`lets nothing through that would come back as another tone, from ${from} Hz`, () => {
      for (const hertz of [8400, 9000, 10_500])
        expect(level(resample(tone(hertz, from, 0.5, 1), from, 16_000)), `${hertz} Hz`).to.be.below(-90)
    })

  it('makes no images when it raises the rate', () => {
    const made = resample(tone(1000, 8000, 0.5, 1), 8000, 16_000)
    const pure = tone(1000, 16_000, 0.5, 1)
    const rest = made.map((value, index) => value - (pure[index] ?? 0))
    expect(level(rest)).to.be.below(-80)
  })

  it('leaves alone what has the rate already', () => {
    const samples = tone(440, 16_000, 0.1)
    expect(resample(samples, 16_000, 16_000)).to.deep.equal(samples)
  })

  it('gives the same however the samples come', () => {
    const samples = tone(440, 44_100, 0.05)
    const together = resample(samples, 44_100, 16_000)
    fc.assert(
      fc.property(fc.array(fc.nat(samples.length), { maxLength: 6 }), (cuts) => {
        expect(resample(samples, 44_100, 16_000, cuts)).to.deep.equal(together)
      }),
      { numRuns: 40 },
    )
  })
})
