import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { convertedModel } from '../src/graph/convert.js'
import type { Precision } from '../src/graph/convert.js'
import { logMel } from '../src/graph/encoder.js'
import { float32 } from '../src/graph/matrix-format.js'
import { WeightsFile, WhisperGraphBuilder } from '../src/graph/whisper-graph-builder.js'
import { Decoder } from '../src/decode/decoder.js'
import { Session } from '../src/session.js'
import { readCheckpoint } from '../src/weights/index.js'
import { atOnce } from './support/at-once.js'
import { ctranslate2File } from './support/ctranslate2.js'
import { temporaryFolder } from './support/files.js'
import { numbers } from './support/random.js'
import { logMelReference, Reference } from './support/reference.js'

const sizes = { width: 32, positions: 25, tokens: 16, vocabulary: 40, layers: 2, heads: 2 }
const alignmentHeads = [
  [0, 1],
  [1, 0],
] as const

/** Half a second of noise and tones. */
const sound = () => {
  const next = numbers(7)
  return Float32Array.from({ length: 8000 }, (_, index) => 0.3 * Math.sin(index / 9) + 0.1 * next())
}

describe('graphs of a Whisper model', () => {
  const file = temporaryFolder()
  const next = numbers(3)
  const bytes = ctranslate2File(sizes, (name, length) => {
    const scale = name.endsWith('weight') ? 0.3 : 0.1
    return Float32Array.from({ length }, () => (name.endsWith('gamma') ? 1 : 0) + scale * next())
  })
  const files = {
    model: file(bytes),
    vocabulary: file('<|endoftext|>'),
    config: file(JSON.stringify({ alignment_heads: alignmentHeads })),
  }
  const checkpoint = readCheckpoint(files)
  const samples = sound()
  const tokens = [3, 17, 5, 39, 0, 8]
  const reference = new Reference(checkpoint)
  const expected = reference.decode(tokens, reference.encode(logMelReference(samples, 80)))

  const listening = async (weights: Precision): Promise<Decoder> => {
    const model = convertedModel(files, weights, file.folder, () => undefined)
    const open = (graph: string) => Session.open({ model: 'tiny', graph, threads: 1, problem: '' })
    const [encoder, decoder] = [await open(model.encoderPath), await open(model.decoderPath)]
    const heard = await encoder.run({ samples: encoder.floats(samples, 1, 1, samples.length) })
    return new Decoder(decoder, checkpoint.dimensions, atOnce, heard)
  }

  it('the spectrogram is that of a Fourier transform as it is defined', async () => {
    const descriptor = openSync(join(file.folder, 'mel.weights'), 'w')
    const graph = new WhisperGraphBuilder(checkpoint, new WeightsFile(descriptor, 'mel.weights'), float32)
    graph.name(logMel(graph, 'samples', 80), 'mel')
    closeSync(descriptor)
    const path = join(file.folder, 'mel.onnx')
    const ports = [{ name: 'samples', type: 'FP32' as const, shape: [1, 1, 'length'] }]
    writeFileSync(path, graph.finish(ports, [{ name: 'mel', type: 'FP32', shape: [1, 80, 'frames'] }]))
    const session = await Session.open({ model: 'mel', graph: path, threads: 1, problem: '' })
    const { mel } = await session.run({ samples: session.floats(samples, 1, 1, samples.length) })
    expect(mel?.dims).to.deep.equal([1, 80, 50])
    expectClose(mel!.data as Float32Array, logMelReference(samples, 80).flat(), 1e-3)
  })

  for (const [weights, tolerance] of [
    ['float32', 1e-4],
    ['int8', 0.05],
  ] as const) {
    it(`say what the definitions say, with weights in ${weights}`, async () => {
      const decoder = await listening(weights)
      const { logits } = await decoder.next(decoder.emptyCache, tokens, [0, 2, 5])
      for (const [index, place] of [0, 2, 5].entries()) expectClose(logits[index]!, expected.logits[place]!, tolerance)
    })

    it(`say the same token by token, with weights in ${weights}`, async () => {
      const decoder = await listening(weights)
      let { cache } = await decoder.next(decoder.emptyCache, tokens.slice(0, 2), [1])
      for (let place = 2; place < tokens.length; place += 1) {
        const step = await decoder.next(cache, [tokens[place]!], [0])
        expectClose(step.logits[0]!, expected.logits[place]!, tolerance)
        cache = step.cache
      }
    })

    it(`tell what each token attends to, with weights in ${weights}`, async () => {
      const decoder = await listening(weights)
      const attention = await decoder.attention(tokens)
      expect([attention.heads, attention.tokens, attention.positions]).to.deep.equal([2, tokens.length, 25])
      const flat = alignmentHeads.flatMap(([layer, head]) => expected.attention[layer]![head]!.flat())
      expectClose(attention.data, flat, tolerance)
    })
  }
})

/** Off by a share of the largest at most. */
const expectClose = (values: Float32Array, wanted: readonly number[], tolerance: number) => {
  expect(values).to.have.length(wanted.length)
  const most = Math.max(...wanted.map(Math.abs))
  const off = Math.max(...wanted.map((value, index) => Math.abs(value - values[index]!)))
  expect(off / most).to.be.below(tolerance)
}
