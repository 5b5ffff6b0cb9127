import { failure } from '@sallyport/core'
import type { InferenceCapability, Tensor, TensorSignature } from '@sallyport/core'
import { referenceService } from './backend.js'

const inputs: TensorSignature[] = [{ name: 'x', type: 'FP32', shape: [-1, 3] }]
const outputs: TensorSignature[] = [
  { name: 'y', type: 'FP32', shape: [-1, 2] },
  { name: 'larger', type: 'UINT8', shape: [-1] },
]

const weights = [
  [1, 0.5, -1],
  [0, 2, 0.25],
] as const
const bias = [0.1, -0.2] as const

/** Maps rows of three numbers to two by fixed weights, and says which of the two is larger. */
export const LinearInference = referenceService<InferenceCapability>({
  run: (request) => {
    const rows = rowsOf(request.inputs)
    const results = rows.map((row) =>
      weights.map((line, unit) => line.reduce((sum, w, i) => sum + w * (row[i] ?? 0), bias[unit] ?? 0)),
    )
    const all: Record<string, Tensor> = {
      y: { type: 'FP32', shape: [rows.length, 2], data: bytesOf(Float32Array.from(results.flat())) },
      larger: {
        type: 'UINT8',
        shape: [rows.length],
        data: Uint8Array.from(results, ([first = 0, second = 0]) => (second > first ? 1 : 0)),
      },
    }
    return { outputs: selectOutputs(all, request.outputs) }
  },
  signature: () => structuredClone({ inputs, outputs }),
})

const invalid = (field: string, problem: string) => failure('invalid_request', { field, problem })

const rowsOf = ({ x, ...others }: Record<string, Tensor>): Float32Array[] => {
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) throw invalid(`inputs.${unknown}`, 'unknown: the model takes x')
  if (!x) throw invalid('inputs.x', 'missing')
  const [rows = -1, columns] = x.shape
  if (x.type !== 'FP32' || x.shape.length !== 2 || columns !== 3 || rows < 0)
    throw invalid('inputs.x', 'must be FP32 of the shape [n, 3]')
  if (x.data.byteLength !== rows * 12)
    throw invalid('inputs.x', `must hold ${rows * 12} bytes, holds ${x.data.byteLength}`)
  const values = new Float32Array(Uint8Array.from(x.data).buffer)
  return Array.from({ length: rows }, (_, row) => values.subarray(row * 3, row * 3 + 3))
}

const bytesOf = (values: Float32Array) => new Uint8Array(values.buffer)

const selectOutputs = (
  all: Record<string, Tensor>,
  names: readonly string[] = Object.keys(all),
): Record<string, Tensor> =>
  Object.fromEntries(
    names.map((name) => {
      const tensor = Object.hasOwn(all, name) ? all[name] : undefined
      if (!tensor) throw invalid('outputs', `there is no output ${name}`)
      return [name, tensor]
    }),
  )
