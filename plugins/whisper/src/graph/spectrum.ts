/**
 * Mel spectrograms as part of an ONNX graph. The short-time Fourier transform is a convolution with cosines and sines,
 * which include all linear preprocessing of a frame, such as the window.
 */

import { sampleRate } from '../samples.js'
import type { GraphBuilder } from './builder.js'

/** In samples: 25 ms every 10 ms. */
export const frame = { length: 400, hop: 160 } as const

export interface SpectrumOptions {
  /** Samples of the Fourier transform, at least those of a frame. */
  readonly fftSize: number
  /** Linear preprocessing of a frame before the transform. */
  readonly prepare: (samples: Float64Array) => Float64Array
  /** Row-major, a row of fftSize / 2 + 1 weights of the power per mel band. */
  readonly filters: Float32Array
  /** Samples of silence before and after the signal. */
  readonly padding?: number
}

/** The power in each mel band [batch, bands, frames] of a signal [batch, 1, count] at 16 kHz. */
export const melSpectrum = (graph: GraphBuilder, signal: string, options: SpectrumOptions): string => {
  const { fftSize, prepare, filters, padding = 0 } = options
  const bins = fftSize / 2 + 1
  const transform = graph.floats(waves(fftSize, prepare), 2 * bins, 1, frame.length)
  const strides = { ints: [frame.hop] }
  const transformed = graph.op('Conv', [signal, transform], { strides, pads: { ints: [padding, padding] } })
  // real and imaginary parts share a band, so their squares are added by the filters
  const bands = filters.length / bins
  const doubled = new Float32Array(2 * filters.length)
  for (let row = 0; row < 2 * bands; row += 1) {
    const band = Math.floor(row / 2)
    doubled.set(filters.subarray(band * bins, (band + 1) * bins), row * bins)
  }
  const squares = graph.op('Mul', [transformed, transformed])
  return graph.op('MatMul', [graph.floats(doubled, bands, 2 * bins), squares])
}

/** Cosines of each frequency, then sines, combined with the preprocessing. */
const waves = (fftSize: number, prepare: SpectrumOptions['prepare']): Float32Array => {
  const bins = fftSize / 2 + 1
  const angles = Float64Array.from({ length: fftSize }, (_, index) => (2 * Math.PI * index) / fftSize)
  const [cosines, sines] = [angles.map(Math.cos), angles.map(Math.sin)]
  const basis = new Float32Array(2 * bins * frame.length)
  for (let sample = 0; sample < frame.length; sample += 1) {
    const prepared = prepare(Float64Array.from({ length: frame.length }, (_, index) => (index === sample ? 1 : 0)))
    for (let bin = 0; bin < bins; bin += 1) {
      basis[bin * frame.length + sample] = projected(prepared, cosines, bin)
      basis[(bins + bin) * frame.length + sample] = projected(prepared, sines, bin)
    }
  }
  return basis
}

/** The product of the values with a wave of `periods` periods. Most frames have a single value that is not 0. */
const projected = (values: Float64Array, wave: Float64Array, periods: number): number => {
  let sum = 0
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0
    if (value !== 0) sum += value * (wave[(periods * index) % wave.length] ?? 0)
  }
  return sum
}

/** Applies a periodic Hann window. */
export const hann = (samples: Float64Array): Float64Array =>
  samples.map((value, index) => value * (0.5 - 0.5 * Math.cos((2 * Math.PI * index) / samples.length)))

/** Slaney's mel scale: linear up to 1,000 Hz, then logarithmic. */
const slope = 200 / 3
const corner = { hertz: 1000, mel: 1000 / slope }
const logStep = Math.log(6.4) / 27

const toMel = (hertz: number) =>
  hertz < corner.hertz ? hertz / slope : corner.mel + Math.log(hertz / corner.hertz) / logStep
const toHertz = (mel: number) =>
  mel < corner.mel ? mel * slope : corner.hertz * Math.exp(logStep * (mel - corner.mel))

/** Triangular filters, each of area 1, as `librosa.filters.mel(sr=16000)` makes them and Whisper was trained with. */
export const melFilters = (count: number, fftSize: number = frame.length): Float32Array => {
  const bins = fftSize / 2 + 1
  const highest = toMel(sampleRate / 2)
  const edges = Array.from({ length: count + 2 }, (_, index) => toHertz((highest * index) / (count + 1)))
  const filters = new Float32Array(count * bins)
  for (let filter = 0; filter < count; filter += 1) {
    const [low = 0, centre = 0, high = 0] = edges.slice(filter, filter + 3)
    for (let bin = 0; bin < bins; bin += 1) {
      const hertz = (bin * sampleRate) / fftSize
      const height = Math.min((hertz - low) / (centre - low), (high - hertz) / (high - centre))
      filters[filter * bins + bin] = Math.max(0, height) * (2 / (high - low))
    }
  }
  return filters
}
