/**
 * Mel spectrograms as part of an ONNX graph: a short-time Fourier transform is a convolution with cosines and sines,
 * into which everything linear is drawn that is done to a frame before it.
 */

import { int64 } from '@sallyport/weights'
import type { OnnxNode, OnnxTensor } from '@sallyport/weights'

/** Samples at 16 kHz: 25 ms every 10 ms. */
export const frame = { length: 400, step: 160 } as const

export interface Spectrum {
  /** Samples of the Fourier transform, at least those of a frame. */
  readonly size: number
  /** What a frame is made of before the transform: linear in its samples. */
  readonly prepare: (samples: Float64Array) => Float64Array
  /** Row-major, a row of size / 2 + 1 weights of the power per mel band. */
  readonly filters: Float32Array
  /** Samples of silence before and behind. */
  readonly padding: number
}

export interface GraphPart {
  readonly nodes: readonly OnnxNode[]
  readonly initializers: Readonly<Record<string, OnnxTensor>>
}

/** From `samples` [batch, count] to the power in each mel band: `mel` [batch, bands, frames]. */
export const melSpectrum = ({ size, prepare, filters, padding }: Spectrum): GraphPart => {
  const bins = size / 2 + 1
  return {
    nodes: [
      node('Unsqueeze', ['samples', 'second'], 'signal'),
      {
        ...node('Conv', ['signal', 'waves'], 'waved'),
        attributes: { strides: { ints: [frame.step] }, pads: { ints: [padding, padding] } },
      },
      node('Mul', ['waved', 'waved'], 'squares'),
      { op: 'Split', inputs: ['squares'], outputs: ['real', 'imaginary'], attributes: { axis: { int: 1 } } },
      node('Add', ['real', 'imaginary'], 'power'),
      node('MatMul', ['filters', 'power'], 'mel'),
    ],
    initializers: {
      second: int64([1]),
      waves: { shape: [2 * bins, 1, frame.length], data: waves(size, prepare) },
      filters: { shape: [filters.length / bins, bins], data: filters },
    },
  }
}

export const node = (op: string, inputs: readonly string[], output: string): OnnxNode => ({
  op,
  inputs,
  outputs: [output],
})

/** Cosines of each frequency, then sines, as they act on the samples before they are prepared. */
const waves = (size: number, prepare: Spectrum['prepare']): Float32Array => {
  const bins = size / 2 + 1
  const cosines = Float64Array.from({ length: size }, (_, step) => Math.cos((2 * Math.PI * step) / size))
  const sines = Float64Array.from({ length: size }, (_, step) => Math.sin((2 * Math.PI * step) / size))
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

/** The sum of the values, each weighted by a wave of so many periods. */
const projected = (values: Float64Array, wave: Float64Array, periods: number): number => {
  let sum = 0
  for (let index = 0; index < values.length; index += 1)
    sum += (values[index] ?? 0) * (wave[(periods * index) % wave.length] ?? 0)
  return sum
}

/** Hann's window, periodic as for spectra. */
export const hann = (length: number): Float64Array =>
  Float64Array.from({ length }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length))
