/** What a Whisper model computes, in plain JavaScript, without a cache and from the definitions. */

import { melFilters } from '../../src/graph/spectrum.js'
import { valuesOf } from '../../src/weights/index.js'
import type { Checkpoint } from '../../src/weights/index.js'

type Rows = number[][]

/** Frequencies of a Fourier transform of 400 samples. */
const melBins = 201

/** The power in each mel band of a frame under a Hann window, by the definition of the Fourier transform. */
export const melPowers = (at: (index: number) => number, mels: number): number[] => {
  const filters = melFilters(mels)
  const powers = Array.from({ length: melBins }, (_, bin) => {
    let [real, imaginary] = [0, 0]
    for (let n = 0; n < 400; n += 1) {
      const value = at(n) * Math.sin((Math.PI * n) / 400) ** 2
      real += value * Math.cos((2 * Math.PI * bin * n) / 400)
      imaginary += value * Math.sin((2 * Math.PI * bin * n) / 400)
    }
    return real ** 2 + imaginary ** 2
  })
  return Array.from({ length: mels }, (_, band) =>
    powers.reduce((sum, power, bin) => sum + power * filters[band * melBins + bin]!, 0),
  )
}

/** [mels][frames] of samples at 16 kHz. */
export const logMelReference = (samples: Float32Array, mels: number): Rows => {
  const at = (index: number) => {
    const mirrored = index < 0 ? -index : index >= samples.length ? 2 * samples.length - 2 - index : index
    return samples[mirrored] ?? 0
  }
  const frames = Array.from({ length: samples.length / 160 }, (_, frame) =>
    melPowers((n) => at(160 * frame - 200 + n), mels).map((power) => Math.log10(Math.max(power, 1e-10))),
  )
  const most = Math.max(...frames.flat())
  return frames[0]!.map((_, band) => frames.map((frame) => (Math.max(frame[band]!, most - 8) + 4) / 4))
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** Abramowitz and Stegun, 7.1.26 is too coarse: the series, which converges for what occurs here. */
const erf = (x: number): number => {
  if (Math.abs(x) > 4) return Math.sign(x)
  let [term, total] = [x, x]
  for (let n = 1; n < 100; n += 1) {
    term *= (-x * x) / n
    total += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * total
}
const gelu = (x: number) => (x / 2) * (1 + erf(x / Math.SQRT2))
const plus = (a: Rows, b: Rows): Rows => a.map((row, index) => row.map((value, at) => value + b[index]![at]!))

export class Reference {
  constructor(private readonly network: Checkpoint) {}

  /** Vectors [positions][width] of a spectrogram [mels][frames]. */
  encode(spectrogram: Rows): Rows {
    const { hiddenSize, mels, encoder } = this.network.dimensions
    const first = this.convolve(spectrogram, 'encoder.conv1', mels, 1)
    const second = this.convolve(first, 'encoder.conv2', hiddenSize, 2)
    const turned = second[0]!.map((_, place) => second.map((channel) => channel[place]!))
    let rows = plus(turned, this.rows('encoder.positional_embedding', this.network.dimensions.positions))
    for (let layer = 0; layer < encoder.layers; layer += 1) {
      const name = `encoder.blocks.${layer}`
      const norm = this.norm(rows, `${name}.attn_ln`)
      rows = this.forward(plus(rows, this.attend(norm, norm, `${name}.attn`, false).output), name)
    }
    return this.norm(rows, 'encoder.ln_post')
  }

  /** Logits after each token, and each layer's weights [heads][tokens][positions] of the attention to the sound. */
  decode(tokens: readonly number[], encoded: Rows): { logits: Rows; attention: Rows[][] } {
    const { vocabularySize, decoder, contextLength: most } = this.network.dimensions
    const embedding = this.rows('decoder.token_embedding.weight', vocabularySize)
    const places = this.rows('decoder.positional_embedding', most)
    let rows = tokens.map((token, index) => embedding[token]!.map((value, at) => value + places[index]![at]!))
    const attention: Rows[][] = []
    for (let layer = 0; layer < decoder.layers; layer += 1) {
      const name = `decoder.blocks.${layer}`
      const norm = this.norm(rows, `${name}.attn_ln`)
      rows = plus(rows, this.attend(norm, norm, `${name}.attn`, true).output)
      const crossed = this.attend(this.norm(rows, `${name}.cross_attn_ln`), encoded, `${name}.cross_attn`, false)
      attention.push(crossed.weights)
      rows = this.forward(plus(rows, crossed.output), name)
    }
    const last = this.norm(rows, 'decoder.ln')
    return { logits: last.map((row) => embedding.map((word) => dot(row, word))), attention }
  }

  private values(name: string, ...shape: number[]) {
    return valuesOf(this.network, name, ...shape)
  }

  private rows(name: string, count: number, columns = this.network.dimensions.hiddenSize): Rows {
    const values = this.values(name, count, columns)
    return Array.from({ length: count }, (_, row) => [...values.subarray(row * columns, (row + 1) * columns)])
  }

  private convolve(input: Rows, name: string, channels: number, step: number): Rows {
    const { hiddenSize } = this.network.dimensions
    const weight = this.values(`${name}.weight`, hiddenSize, channels, 3)
    const bias = this.values(`${name}.bias`, hiddenSize)
    const places = Array.from({ length: input[0]!.length / step }, (_, index) => index * step)
    return Array.from(bias, (shift, out) =>
      places.map((place) => {
        let value = shift
        for (let channel = 0; channel < channels; channel += 1)
          for (const tap of [0, 1, 2])
            value += weight[(out * channels + channel) * 3 + tap]! * (input[channel]![place + tap - 1] ?? 0)
        return gelu(value)
      }),
    )
  }

  private norm(rows: Rows, name: string): Rows {
    const { hiddenSize } = this.network.dimensions
    const [gain, shift] = [this.values(`${name}.weight`, hiddenSize), this.values(`${name}.bias`, hiddenSize)]
    return rows.map((row) => {
      const mean = sum(row) / hiddenSize
      const deviation = Math.sqrt(sum(row.map((value) => (value - mean) ** 2)) / hiddenSize + 1e-5)
      return row.map((value, at) => ((value - mean) / deviation) * gain[at]! + shift[at]!)
    })
  }

  private linear(input: Rows, name: string, count: number): Rows {
    const matrix = this.rows(`${name}.weight`, count, input[0]!.length)
    const bias = this.network.tensors.has(`${name}.bias`) ? this.values(`${name}.bias`, count) : undefined
    return input.map((row) => matrix.map((weights, at) => dot(row, weights) + (bias?.[at] ?? 0)))
  }

  private forward(rows: Rows, name: string): Rows {
    const { hiddenSize } = this.network.dimensions
    const middle = this.linear(this.norm(rows, `${name}.mlp_ln`), `${name}.mlp.0`, 4 * hiddenSize)
    return plus(
      rows,
      this.linear(
        middle.map((row) => row.map(gelu)),
        `${name}.mlp.2`,
        hiddenSize,
      ),
    )
  }

  private attend(from: Rows, to: Rows, name: string, causal: boolean): { output: Rows; weights: Rows[] } {
    const { hiddenSize, decoder } = this.network.dimensions
    const size = hiddenSize / decoder.heads
    const [query, key, value] = ['query', 'key', 'value'].map((part) =>
      this.linear(part === 'query' ? from : to, `${name}.${part}`, hiddenSize),
    )
    const weights = Array.from({ length: decoder.heads }, (_, head) => {
      const part = (row: number[]) => row.slice(head * size, (head + 1) * size)
      return query!.map((row, at) => {
        const seen = causal ? key!.slice(0, at + 1) : key!
        const scores = seen.map((other) => Math.exp(dot(part(row), part(other)) / Math.sqrt(size)))
        return scores.map((score) => score / sum(scores))
      })
    })
    const mixed = from.map((_, at) =>
      Array.from({ length: hiddenSize }, (__, column) =>
        sum(weights[Math.floor(column / size)]![at]!.map((weight, index) => weight * value![index]![column]!)),
      ),
    )
    return { output: this.linear(mixed, `${name}.out`, hiddenSize), weights }
  }
}

const dot = (a: number[], b: number[]) => sum(a.map((value, index) => value * b[index]!))
