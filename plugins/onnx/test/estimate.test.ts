import { expect } from 'chai'
import { toFloat16 } from '@sallyport/kit/numbers'
import { buildOnnx, modelProto } from '@sallyport/weights'
import type { OnnxTensor } from '@sallyport/weights'
import { estimate } from '../src/estimate.js'
import { defaults, temporaryFiles } from './support/loading.js'

const elements = 100_000
const weights: Readonly<Record<string, OnnxTensor>> = {
  '8 bits': { shape: [elements], data: new Int8Array(elements) },
  '16 bits': { shape: [elements], data: toFloat16(new Float32Array(elements)), type: 'FP16' },
  '32 bits': { shape: [elements], data: new Float32Array(elements) },
}

const modelOf = (tensor: OnnxTensor, op: string) =>
  buildOnnx({
    inputs: [{ name: 'x', type: 'FP32', shape: [1] }],
    outputs: [{ name: 'y', type: 'FP32', shape: [1] }],
    initializers: { weights: tensor },
    nodes: [{ op, inputs: ['weights'], outputs: ['y'], attributes: { to: { int: 1 } } }],
  })

/** Copies that onnxruntime has of weights. */
const copies = 2

describe('the memory that weights need', () => {
  const write = temporaryFiles()
  const bytesOf = async (model: Uint8Array, more: Readonly<Record<string, Uint8Array>> = {}) => {
    const files = write({ model, ...more })
    return (await estimate({ id: 'tiny', files, options: defaults })).weights / copies / elements
  }

  for (const [type, op, bytes] of [
    ['8 bits', 'Cast', 4],
    ['8 bits', 'DequantizeLinear', 4],
    ['8 bits', 'MatMulInteger', 1],
    ['16 bits', 'Identity', 4],
    ['32 bits', 'Cast', 4],
  ] as const)
    it(`is ${bytes} bytes for one of ${type} that ${op} reads`, async () => {
      expect(await bytesOf(modelOf(weights[type]!, op))).to.be.closeTo(bytes, 0.01)
    })

  it('is as much for weights in another file', async () => {
    const entries = { location: 'weights.bin', length: String(elements) }
    const tensor = {
      name: 'weights',
      dataType: 3,
      dataLocation: 1,
      externalData: Object.entries(entries).map(([key, value]) => ({ key, value })),
    }
    const graph = { initializer: [tensor], node: [{ opType: 'Cast', input: ['weights'], output: ['y'] }] }
    const model = { irVersion: 8, opsetImport: [{ version: 17 }], graph }
    const bytes = modelProto.encode(modelProto.create(model)).finish()
    expect(await bytesOf(bytes, { 'weights.bin': new Uint8Array(elements) })).to.be.closeTo(4, 0.01)
  })
})
