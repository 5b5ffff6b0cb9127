import { inference } from '@sallyport/core'
import type { Tensor, TensorType } from '@sallyport/core'
import { runConformance, testCall } from '@sallyport/testing'
import { expect } from 'chai'
import { buildOnnx } from '@sallyport/weights'
import { OnnxInference } from '../src/inference.js'
import { OrtSession } from '../src/session/ort-session.js'
import type { Session } from '../src/session/ort-session.js'
import { countCores } from '../src/session/threads.js'
import { defaults } from './support/loading.js'

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Gives back what it gets. */
const echo = (type: TensorType) =>
  buildOnnx({
    inputs: [{ name: 'in', type, shape: ['rows', 2] }],
    outputs: [{ name: 'out', type, shape: ['rows', 2] }],
    nodes: [{ op: 'Identity', inputs: ['in'], outputs: ['out'] }],
  })

const values: Readonly<Record<TensorType, NodeJS.TypedArray>> = {
  FP16: Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001),
  FP32: Float32Array.of(1.5, -2, 1e30, 0),
  FP64: Float64Array.of(1.5, -2, 1e300, 0),
  INT8: Int8Array.of(-128, 127, 0, 1),
  INT16: Int16Array.of(-32768, 32767, 0, 1),
  INT32: Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 0, 1),
  INT64: BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n, 0n, 1n),
  UINT8: Uint8Array.of(255, 0, 1, 2),
  UINT16: Uint16Array.of(65535, 0, 1, 2),
  UINT32: Uint32Array.of(2 ** 32 - 1, 0, 1, 2),
  UINT64: BigUint64Array.of(2n ** 64n - 1n, 0n, 1n, 2n),
  BOOL: Uint8Array.of(1, 0, 0, 1),
}

describe('a session', () => {
  for (const [type, data] of Object.entries(values) as [TensorType, NodeJS.TypedArray][])
    it(`takes and gives ${type}, aligned or not`, async () => {
      const session = await OrtSession.load('echo', echo(type), defaults)
      const bytes = bytesOf(data)
      const shifted = new Uint8Array(bytes.length + 1)
      shifted.set(bytes, 1)
      for (const given of [bytes, shifted.subarray(1)]) {
        const { out } = await session.run({ in: { type, shape: [2, 2], data: given } })
        expect({ ...out, data: [...(out?.data ?? [])] }).to.deep.equal({ type, shape: [2, 2], data: [...bytes] })
      }
      await session.release()
    })

  it('tells names, types and shapes, -1 for what is free', async () => {
    const session = await OrtSession.load('echo', echo('FP32'), defaults)
    expect(session.inputs).to.deep.equal([{ name: 'in', type: 'FP32', shape: [-1, 2] }])
    expect(session.outputs).to.deep.equal([{ name: 'out', type: 'FP32', shape: [-1, 2] }])
    await session.release()
  })
})

describe('the number of cores', () => {
  const processor = (id: number, socket: number, core: number) =>
    `processor\t: ${id}\nphysical id\t: ${socket}\ncore id\t\t: ${core}\n`
  const cases: readonly [string, string, number | undefined][] = [
    ['twins on one core count once', [0, 1, 2, 3].map((id) => processor(id, 0, id % 2)).join('\n'), 2],
    ['cores of two sockets count each', [processor(0, 0, 0), processor(1, 1, 0)].join('\n'), 2],
    ['nothing is said', 'processor\t: 0\nBogoMIPS\t: 50\n', undefined],
  ]
  for (const [name, text, expected] of cases)
    it(name, () => {
      expect(countCores(text)).to.equal(expected)
    })
})

const row = (...numbers: [number, number]): Record<string, Tensor> => ({
  in: { type: 'FP32', shape: [1, 2], data: bytesOf(Float32Array.of(...numbers)) },
})

describe('a run of tensors', () => {
  it('is left to the session to check', async () => {
    const refusal = new Error('refused')
    const session: Session = {
      inputs: [],
      outputs: [],
      run: () => Promise.reject(refusal),
      release: () => Promise.resolve(),
    }
    const error: unknown = await new OnnxInference(session, 10)
      .run({ inputs: row(1, 2) }, testCall())
      .catch((thrown: unknown) => thrown)
    expect(error).to.equal(refusal)
  })
})

runConformance(inference, {
  create: async () => {
    const session = await OrtSession.load('echo', echo('FP32'), defaults)
    return { service: new OnnxInference(session, 10), dispose: () => session.release() }
  },
  facts: { tensors: [row(1, 2), row(3, 4)] },
})
