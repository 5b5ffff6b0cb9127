/** ONNX graphs from `samples` [batch, count] to the `features` that speaker models of the Hugging Face Hub read. */

import { GraphBuilder } from '../graph/builder.js'
import { frame, melFilters, melSpectrum } from '../graph/spectrum.js'
import type { SpectrumOptions } from '../graph/spectrum.js'
import { sampleRate } from '../samples.js'

export const bands = 80
const fftSize = 512
const preEmphasis = 0.97

/**
 * Log mel energies as Kaldi computes them (`compute-fbank-feats --dither=0 --window-type=hamming`), minus their mean
 * over time: [batch, frames, 80]. WeSpeaker's and 3D-Speaker's models read them.
 */
export const kaldiGraph = (): Uint8Array =>
  featureGraph({ fftSize, prepare: kaldiFrame, filters: kaldiFilters() }, ['batch', 'frames', bands], (graph, mel) => {
    const logarithms = graph.op('Log', [graph.op('Max', [mel, graph.number(2 ** -23 / 32_768 ** 2)])])
    return graph.op('Transpose', [centred(graph, logarithms)], { perm: { ints: [0, 2, 1] } })
  })

/**
 * Log mel energies as NeMo computes them, with mean 0 and variance 1 over time in each band: [batch, 80, frames].
 * TitaNet reads them. (NeMo applies pre-emphasis to the whole signal; here it is applied to each frame.)
 */
export const nemoGraph = (): Uint8Array => {
  const filters = melFilters(bands, fftSize)
  const spectrum = { fftSize, prepare: nemoFrame, filters, padding: frame.length / 2 }
  return featureGraph(spectrum, ['batch', bands, 'frames'], (graph, mel) => {
    const values = centred(graph, graph.op('Log', [graph.op('Add', [mel, graph.number(2 ** -24)])]))
    const deviation = graph.op('Sqrt', [overTime(graph, graph.op('Mul', [values, values]))])
    return graph.op('Div', [values, graph.op('Add', [deviation, graph.number(1e-5)])])
  })
}

const featureGraph = (
  spectrum: SpectrumOptions,
  shape: readonly (number | string)[],
  finish: (graph: GraphBuilder, mel: string) => string,
): Uint8Array => {
  const graph = new GraphBuilder()
  const signal = graph.op('Unsqueeze', ['samples', graph.integers(1)])
  graph.name(finish(graph, melSpectrum(graph, signal, spectrum)), 'features')
  return graph.finish(
    [{ name: 'samples', type: 'FP32', shape: ['batch', 'count'] }],
    [{ name: 'features', type: 'FP32', shape }],
  )
}

const overTime = (graph: GraphBuilder, value: string): string =>
  graph.op('ReduceMean', [value], { axes: { ints: [2] }, keepdims: { int: 1 } })

/** Subtracts the mean over time. */
const centred = (graph: GraphBuilder, value: string): string => graph.op('Sub', [value, overTime(graph, value)])

/** Subtracts the mean, applies pre-emphasis and a Hamming window. */
const kaldiFrame = (samples: Float64Array): Float64Array => {
  const middle = samples.reduce((sum, value) => sum + value, 0) / samples.length
  return raisedCosine(emphasised(samples.map((value) => value - middle)), 0.54)
}

/** Applies pre-emphasis and a Hann window. */
const nemoFrame = (samples: Float64Array): Float64Array => raisedCosine(emphasised(samples), 0.5)

/** A symmetric raised-cosine window. @param middle 0.5 for a Hann window, 0.54 for a Hamming window */
const raisedCosine = (samples: Float64Array, middle: number): Float64Array =>
  samples.map(
    (value, index) => value * (middle - (1 - middle) * Math.cos((2 * Math.PI * index) / (samples.length - 1))),
  )

/** Applies pre-emphasis; the first sample counts as its own predecessor, as in Kaldi. */
const emphasised = (samples: Float64Array): Float64Array =>
  samples.map((value, index) => value - preEmphasis * (samples[Math.max(0, index - 1)] ?? 0))

const minHertz = 20

const toMel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)

/**
 * Triangular filters on the mel scale, of height 1, as Kaldi makes them (feat/mel-computations.cc): between 20 Hz and
 * half the sample rate, triangular in mel and not in hertz.
 */
const kaldiFilters = (): Float32Array => {
  const bins = fftSize / 2 + 1
  const [low, high] = [toMel(minHertz), toMel(sampleRate / 2)]
  const melStep = (high - low) / (bands + 1)
  const filters = new Float32Array(bands * bins)
  for (let filter = 0; filter < bands; filter += 1) {
    const left = low + filter * melStep
    // Kaldi leaves out the last bin
    for (let bin = 0; bin < bins - 1; bin += 1) {
      const mel = toMel((bin * sampleRate) / fftSize)
      filters[filter * bins + bin] = Math.max(0, Math.min((mel - left) / melStep, (left + 2 * melStep - mel) / melStep))
    }
  }
  return filters
}
