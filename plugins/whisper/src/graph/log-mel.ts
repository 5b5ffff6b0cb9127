import type { GraphBuilder } from './builder.js'
import { melBins, melFilters } from './mel-filters.js'

/** Samples of a frame of the spectrogram, and from one to the next: 25 and 10 ms. */
const frame = 400
export const hop = 160

/**
 * Whisper's log-mel spectrogram [1, mels, n] of samples [1, 1, 160 n] at 16 kHz, between about -1 and 1: a short-time
 * Fourier transform as one convolution, powers, mel bands, and their logarithms within 80 dB of the largest.
 */
export const logMel = (graph: GraphBuilder, samples: string, mels: number): string => {
  // frames are centred; the one behind the last is left out
  const padding = graph.integers(0, 0, frame / 2, 0, 0, frame / 2 - hop)
  const padded = graph.op('Pad', [samples, padding], { mode: { text: 'reflect' } })
  const waves = graph.floats(hannWaves(), 2 * melBins, 1, frame)
  const transformed = graph.op('Conv', [padded, waves], { strides: { ints: [hop] } })
  const squares = graph.op('Mul', [transformed, transformed])
  // real and imaginary parts share a band, so their squares are added by the filters
  const filters = melFilters(mels)
  const twice = new Float32Array(2 * filters.length)
  for (let row = 0; row < mels; row += 1) {
    const bands = filters.subarray(row * melBins, (row + 1) * melBins)
    for (const part of [0, 1]) twice.set(bands, (2 * row + part) * melBins)
  }
  const bands = graph.op('MatMul', [graph.floats(twice, mels, 2 * melBins), squares])
  const logarithms = graph.op('Mul', [
    graph.op('Log', [graph.op('Max', [bands, graph.number(1e-10)])]),
    graph.number(Math.LOG10E),
  ])
  const largest = graph.op('ReduceMax', [logarithms], { keepdims: { int: 0 } })
  const cut = graph.op('Max', [logarithms, graph.op('Sub', [largest, graph.number(8)])])
  return graph.op('Mul', [graph.op('Add', [cut, graph.number(4)]), graph.number(1 / 4)])
}

/** Cosines and then sines of each frequency under a Hann window: [2 · 201, 400]. */
const hannWaves = (): Float32Array => {
  const waves = new Float32Array(2 * melBins * frame)
  for (let at = 0; at < frame; at += 1) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / frame)
    for (let bin = 0; bin < melBins; bin += 1) {
      const angle = (2 * Math.PI * ((bin * at) % frame)) / frame
      waves[bin * frame + at] = window * Math.cos(angle)
      waves[(melBins + bin) * frame + at] = -window * Math.sin(angle)
    }
  }
  return waves
}
