import { expect } from 'chai'
import { normalised } from '@sallyport/kit/numbers'
import type { TorchTensor } from '@sallyport/weights'
import { ge2eGraph } from '../src/speakers/ge2e.js'
import { Ge2eEmbedder } from '../src/speakers/ge2e-embedder.js'
import { kaldiGraph, nemoGraph } from '../src/speakers/onnx-features.js'
import { OnnxEmbedder } from '../src/speakers/onnx-embedder.js'
import { concatenate } from '../src/samples.js'
import { floatsOf, Session } from '../src/session.js'
import { temporaryFolder } from './support/files.js'
import { numbers, randomArray } from './support/random.js'
import { melPowers } from './support/reference.js'
import { otherModel, titaNet, weSpeaker } from './support/speaker-models.js'

const run = async (graph: Uint8Array, parts: readonly Float32Array[], output: string) => {
  const session = await Session.open({ model: 'test', graph, threads: 1, problem: 'the graph' })
  try {
    const samples = session.floats(concatenate(parts), parts.length, parts[0]?.length ?? 0)
    const result = (await session.run({ samples }))[output]
    return { shape: [...(result?.dims ?? [])], data: floatsOf(result) }
  } finally {
    await session.release()
  }
}

describe('embeddings by GE2E', () => {
  const width = 256
  const next = numbers()
  const weights = new Map<string, TorchTensor>()
  const add = (name: string, ...shape: number[]) => {
    const size = shape.reduce((product, length) => product * length, 1)
    const data = randomArray(size, 0.2, next)
    weights.set(`model_state.${name}`, { shape, values: () => data })
  }
  for (const layer of [0, 1, 2]) {
    add(`lstm.weight_ih_l${layer}`, 4 * width, layer ? width : 40)
    add(`lstm.weight_hh_l${layer}`, 4 * width, width)
    add(`lstm.bias_ih_l${layer}`, 4 * width)
    add(`lstm.bias_hh_l${layer}`, 4 * width)
  }
  add('linear.weight', width, width)
  add('linear.bias', width)
  const valuesOf = (name: string) => weights.get(`model_state.${name}`)?.values() ?? expect.fail(name)

  const spectrum = (samples: Float32Array): number[][] =>
    Array.from({ length: Math.floor((samples.length - 400) / 160) + 1 }, (_, frame) =>
      melPowers((index) => samples[frame * 160 + index]!, 40),
    )

  /** As PyTorch documents `torch.nn.LSTM`: gates in the order input, forget, cell, output. */
  const lstm = (inputs: readonly number[][], layer: number): number[][] => {
    const rows = (name: string, row: number, values: readonly number[]) =>
      values.reduce(
        (sum, value, column) => sum + value * valuesOf(`lstm.${name}_l${layer}`)[row * values.length + column]!,
        0,
      )
    const sigmoid = (value: number) => 1 / (1 + Math.exp(-value))
    let [state, cell] = [new Array<number>(width).fill(0), new Array<number>(width).fill(0)]
    return inputs.map((input) => {
      const gate = (index: number, unitAt: number) => {
        const row = index * width + unitAt
        const biases = valuesOf(`lstm.bias_ih_l${layer}`)[row]! + valuesOf(`lstm.bias_hh_l${layer}`)[row]!
        return rows('weight_ih', row, input) + rows('weight_hh', row, state) + biases
      }
      const cells = cell.map(
        (value, at) => sigmoid(gate(1, at)) * value + sigmoid(gate(0, at)) * Math.tanh(gate(2, at)),
      )
      state = cells.map((value, at) => sigmoid(gate(3, at)) * Math.tanh(value))
      cell = cells
      return state
    })
  }

  it('are those of a spectrum, an LSTM and a layer computed independently', async () => {
    const parts = [1, 2].map((seed) => randomArray(400 + 3 * 160, 0.25, numbers(seed)))
    const { shape, data } = await run(ge2eGraph(weights), parts, 'embeddings')
    expect(shape).to.deep.equal([2, width])
    parts.forEach((part, index) => {
      const last = [0, 1, 2].reduce((values, layer) => lstm(values, layer), spectrum(part)).at(-1) ?? []
      const linear = Float32Array.from({ length: width }, (_, row) => {
        const sum = last.reduce(
          (total, value, column) => total + value * valuesOf('linear.weight')[row * width + column]!,
          0,
        )
        return Math.max(0, sum + valuesOf('linear.bias')[row]!)
      })
      normalised(linear).forEach((value, at) => expect(data[index * width + at]).to.be.closeTo(value, 1e-5))
    })
  })

  it('of silence are numbers, too', async () => {
    const { data } = await run(ge2eGraph(weights), [new Float32Array(2000)], 'embeddings')
    expect(data.every(Number.isFinite)).to.equal(true)
  })

  it('are refused for weights of something else', async () => {
    const others = new Map([...weights].filter(([name]) => name !== 'model_state.linear.bias'))
    expect(() => ge2eGraph(others)).to.throw('the weights are not those of GE2E: linear.bias is missing')
    const error: unknown = await Ge2eEmbedder.load('m', import.meta.filename).catch((reason: unknown) => reason)
    expect(String(error)).to.match(/its file for speakers: the file does not hold weights of PyTorch/)
  })
})

describe('features of speaker models', () => {
  const samples = Float32Array.from(
    { length: 8000 },
    (_, index) =>
      0.3 * Math.sin((2 * Math.PI * 300 * index) / 16_000) +
      0.1 * Math.sin((2 * Math.PI * 2500 * index) / 16_000) +
      0.05 * (((index * 7919) % 1009) / 1009 - 0.5),
  )

  it("are Kaldi's, less their mean", async () => {
    const { shape, data } = await run(kaldiGraph(), [samples], 'features')
    expect(shape).to.deep.equal([1, 48, 80])
    // kaldi-native-fbank 1.x, window_type hamming, dither 0
    for (const [frame, band, value] of [
      [0, 0, 0.07615],
      [0, 5, 0.10277],
      [7, 12, -0.00633],
      [20, 40, -0.20665],
      [47, 79, 0.02323],
    ] as const)
      expect(data[frame * 80 + band], `frame ${frame}, band ${band}`).to.be.closeTo(value, 1e-4)
  })

  it("are NeMo's, with the variance 1", async () => {
    const framed = samples.map((value, index) => (index < 500 || index >= 7500 ? 0 : value))
    const { shape, data } = await run(nemoGraph(), [framed], 'features')
    expect(shape).to.deep.equal([1, 80, 51])
    // librosa.stft(n_fft=512, hop_length=160, win_length=400, window=numpy.hanning(400)) of the emphasised signal
    for (const [band, frame, value] of [
      [0, 3, 3.7272],
      [5, 10, 0.3579],
      [12, 7, 0.3658],
      [40, 20, -0.1493],
      [79, 45, 0.3317],
    ] as const)
      expect(data[band * 51 + frame], `band ${band}, frame ${frame}`).to.be.closeTo(value, 1e-3)
  })
})

describe('embeddings by ONNX models', () => {
  const file = temporaryFolder()
  const part = randomArray(16_000, 0.2, numbers(5))
  const load = (graph: Uint8Array) => OnnxEmbedder.load('m', file(graph), 1)

  it('that read frames of 80 bands, as WeSpeaker and 3D-Speaker', async () => {
    const embedder = await load(weSpeaker())
    const [embedding, again] = await embedder.embed([part, part])
    await embedder.release()
    const { shape, data } = await run(kaldiGraph(), [part], 'features')
    const highest = Float32Array.from({ length: 80 }, (_, band) =>
      Math.max(...Array.from({ length: shape[1] ?? 0 }, (__, frame) => data[frame * 80 + band]!)),
    )
    normalised(highest.map((value) => value - 1)).forEach((value, at) =>
      expect(embedding?.[at]).to.be.closeTo(value, 1e-5),
    )
    expect(again).to.deep.equal(embedding)
  })

  it('that read bands of frames and a length, as TitaNet', async () => {
    const embedder = await load(titaNet())
    const [embedding] = await embedder.embed([part])
    await embedder.release()
    const { shape, data } = await run(nemoGraph(), [part], 'features')
    const frames = shape[2] ?? 0
    const highest = Float32Array.from({ length: 80 }, (_, band) =>
      Math.max(...data.subarray(band * frames, (band + 1) * frames)),
    )
    normalised(highest.map((value) => value + frames)).forEach((value, at) =>
      expect(embedding?.[at]).to.be.closeTo(value, 1e-5),
    )
  })

  for (const [name, graph, problem] of [
    ['something else', otherModel(), /model_invalid|reads neither \[batch, frames, 80\]/],
    ['nothing', Buffer.from('no graph'), /onnxruntime cannot load/],
  ] as const)
    it(`are refused for a file that reads ${name}`, async () => {
      const error: unknown = await load(graph).catch((reason: unknown) => reason)
      expect(String(error)).to.match(problem)
    })
})
