/** What speaker models of the hub read, as graphs of ONNX: from `samples` [batch, count] to `features`. */

import { buildOnnx, scalar } from '@sallyport/weights'
import { melFilters } from '../graph/mel-filters.js'
import { kaldiFilters } from './kaldi-filters.js'
import { frame, melSpectrum, node } from './spectrum.js'
import type { GraphPart, Spectrum } from './spectrum.js'

export const bands = 80
const size = 512
const preEmphasis = 0.97

/**
 * Logarithms of mel energies as Kaldi computes them (`compute-fbank-feats --dither=0 --window-type=hamming`), less
 * their mean over time: [batch, frames, 80]. WeSpeaker's and 3D-Speaker's models read them.
 */
export const kaldiFeatures = (): Uint8Array =>
  features(
    { size, prepare: kaldiFrame, filters: kaldiFilters(bands, size), padding: 0 },
    {
      nodes: [
        node('Max', ['mel', 'least'], 'some'),
        node('Log', ['some'], 'logarithms'),
        overTime('ReduceMean', 'logarithms', 'middle'),
        node('Sub', ['logarithms', 'middle'], 'centred'),
        { ...node('Transpose', ['centred'], 'features'), attributes: { perm: { ints: [0, 2, 1] } } },
      ],
      initializers: { least: scalar(2 ** -23 / 32_768 ** 2) },
    },
    ['batch', 'frames', bands],
  )

/**
 * Logarithms of mel energies as NeMo computes them, with the mean 0 and the variance 1 over time in each band:
 * [batch, 80, frames]. TitaNet reads them. (NeMo emphasises the whole signal, here it is done frame by frame.)
 */
export const nemoFeatures = (): Uint8Array =>
  features(
    { size, prepare: nemoFrame, filters: melFilters(bands, size), padding: frame.length / 2 },
    {
      nodes: [
        node('Add', ['mel', 'guard'], 'some'),
        node('Log', ['some'], 'logarithms'),
        overTime('ReduceMean', 'logarithms', 'middle'),
        node('Sub', ['logarithms', 'middle'], 'centred'),
        node('Mul', ['centred', 'centred'], 'deviations'),
        overTime('ReduceMean', 'deviations', 'variance'),
        node('Sqrt', ['variance'], 'deviation'),
        node('Add', ['deviation', 'tiny'], 'scale'),
        node('Div', ['centred', 'scale'], 'features'),
      ],
      initializers: { guard: scalar(2 ** -24), tiny: scalar(1e-5) },
    },
    ['batch', bands, 'frames'],
  )

const features = (spectrum: Spectrum, rest: GraphPart, shape: readonly (number | string)[]): Uint8Array => {
  const mel = melSpectrum(spectrum)
  return buildOnnx({
    inputs: [{ name: 'samples', type: 'FP32', shape: ['batch', 'count'] }],
    outputs: [{ name: 'features', type: 'FP32', shape }],
    nodes: [...mel.nodes, ...rest.nodes],
    initializers: { ...mel.initializers, ...rest.initializers },
  })
}

const overTime = (op: string, input: string, output: string) => ({
  ...node(op, [input], output),
  attributes: { axes: { ints: [2] }, keepdims: { int: 1 } },
})

/** Without its mean, with high frequencies raised, in Hamming's window. */
const kaldiFrame = (samples: Float64Array): Float64Array => {
  const middle = samples.reduce((sum, value) => sum + value, 0) / samples.length
  return windowed(emphasised(samples.map((value) => value - middle)), 0.54)
}

/** In Hann's window. */
const nemoFrame = (samples: Float64Array): Float64Array => windowed(emphasised(samples), 0.5)

/** A raised cosine, which is symmetric in both. @param middle 0.5 for Hann's window, 0.54 for Hamming's */
const windowed = (samples: Float64Array, middle: number): Float64Array =>
  samples.map(
    (value, index) => value * (middle - (1 - middle) * Math.cos((2 * Math.PI * index) / (samples.length - 1))),
  )

/** The first sample is taken for its own predecessor, as Kaldi does. */
const emphasised = (samples: Float64Array): Float64Array =>
  samples.map((value, index) => value - preEmphasis * (samples[Math.max(0, index - 1)] ?? 0))
