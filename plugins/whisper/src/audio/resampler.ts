/**
 * Changes the sample rate by a polyphase filter: a sinc at the lower of both rates under a Kaiser window (J. O. Smith,
 * "Digital Audio Resampling", and Kaiser's formula for the window's shape). With 32 zero crossings on each side and a
 * shape of 10 the stop band lies 95 dB down, and the transition band takes a tenth of the band.
 */

import { concatenate } from '../samples.js'

const zeroCrossings = 32
const kaiserBeta = 10
/** The edge of the pass band, as a share of half the lower rate. */
const passband = 0.94
/** The maximum numerator of the ratio of rates; unusual ratios are rounded, by less than one in a thousand. */
const maxPhases = 1000

export class Resampler {
  /** Rows of taps, by the position between two samples of the input. */
  private readonly filters: readonly Float32Array[]
  private readonly up: number
  private readonly down: number
  /** Taps on each side. */
  private readonly halfLength: number
  private history: Float32Array
  /** The position of the next sample, in steps of 1/up of an input sample from the first of the history. */
  private position: number

  /** Both in samples per second. */
  constructor(from: number, to: number) {
    const [up, down] = ratio(to / from)
    this.up = up
    this.down = down
    const cutoff = Math.min(1, up / down) * passband
    this.halfLength = Math.ceil(zeroCrossings / Math.min(1, up / down))
    this.filters = Array.from({ length: up }, (_, phase) => taps(phase / up, this.halfLength, cutoff))
    this.history = new Float32Array(this.halfLength - 1)
    this.position = (this.halfLength - 1) * up
  }

  push(samples: Float32Array): Float32Array {
    if (this.up === this.down) return samples
    const input = concatenate([this.history, samples])
    const last = (input.length - this.halfLength) * this.up
    const output = new Float32Array(Math.max(0, Math.ceil((last - this.position) / this.down)))
    for (let index = 0; index < output.length; index += 1) {
      output[index] = this.valueAt(input, this.position)
      this.position += this.down
    }
    const used = Math.max(0, Math.min(input.length, Math.floor(this.position / this.up) - this.halfLength + 1))
    this.history = input.slice(used)
    this.position -= used * this.up
    return output
  }

  /** Returns the last samples, for which the filter still needed input. */
  flush(): Float32Array {
    return this.up === this.down ? new Float32Array() : this.push(new Float32Array(this.halfLength))
  }

  private valueAt(input: Float32Array, position: number): number {
    const before = Math.floor(position / this.up)
    const filter = this.filters[position - before * this.up]
    if (!filter) return 0
    const start = before - this.halfLength + 1
    let sum = 0
    for (let tap = 0; tap < filter.length; tap += 1) sum += (filter[tap] ?? 0) * (input[start + tap] ?? 0)
    return sum
  }
}

/** Taps for a fraction (0..1) of the way between two samples. They sum to 1, so that constants stay the same. */
const taps = (fraction: number, halfLength: number, cutoff: number): Float32Array => {
  const row = Float64Array.from({ length: 2 * halfLength }, (_, index) => {
    const distance = index - halfLength + 1 - fraction
    return sinc(distance * cutoff) * kaiser(distance / halfLength)
  })
  const sum = row.reduce((total, value) => total + value, 0)
  return Float32Array.from(row, (value) => value / sum)
}

const sinc = (value: number) => (value === 0 ? 1 : Math.sin(Math.PI * value) / (Math.PI * value))

const kaiser = (position: number) =>
  Math.abs(position) >= 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - position * position)) / bessel(kaiserBeta)

/** The modified Bessel function of the first kind and order 0. */
const bessel = (value: number): number => {
  let sum = 1
  let term = 1
  for (let index = 1; term > 1e-12 * sum; index += 1) {
    term *= (value / (2 * index)) ** 2
    sum += term
  }
  return sum
}

/** The best approximation by a fraction with a small numerator, by continued fractions. */
const ratio = (value: number): [number, number] => {
  let [previous, current] = [
    [0, 1],
    [1, 0],
  ] as [[number, number], [number, number]]
  for (let rest = value; ;) {
    const whole = Math.floor(rest)
    const next: [number, number] = [whole * current[0] + previous[0], whole * current[1] + previous[1]]
    if (next[0] > maxPhases && current[1] > 0 && current[0] > 0) return current
    previous = current
    current = next
    if (rest - whole < 1e-9 || Math.abs(current[0] / current[1] - value) < 1e-12 * value) return current
    rest = 1 / (rest - whole)
  }
}
