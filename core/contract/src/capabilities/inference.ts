import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { bytes, list, oneOf } from './shape.js'

/** Element types, named as in the Open Inference Protocol. */
export type TensorType =
  'FP16' | 'FP32' | 'FP64' | 'INT8' | 'INT16' | 'INT32' | 'INT64' | 'UINT8' | 'UINT16' | 'UINT32' | 'UINT64' | 'BOOL'

export interface Tensor {
  type: TensorType
  shape: number[]
  /** Little-endian elements in row-major order. */
  data: Uint8Array
}

/** Named tensors in, named tensors out: for models whose pre- and post-processing lies in another plugin. */
export interface InferenceCapability {
  /** @throws invalid_request (unknown names, shapes that do not fit), overloaded. */
  run(
    request: { inputs: Record<string, Tensor>; outputs?: string[] },
    call: Call,
  ): Promise<{ outputs: Record<string, Tensor> }>
  /** Names, types and shapes; -1 is a free dimension. */
  signature(
    request: Record<never, never>,
    call: Call,
  ): Promise<{
    inputs: TensorSignature[]
    outputs: TensorSignature[]
    /** Further metadata of the file, by keys of its author, such as the characters of a text recogniser. */
    metadata?: Record<string, string>
  }>
}

export interface TensorSignature {
  name: string
  type: TensorType
  shape: number[]
}

const type = oneOf(
  'FP16',
  'FP32',
  'FP64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'BOOL',
)
const tensors = { '*': { type, shape: list('number'), data: bytes('numbers') } } as const
const signatures = list({ name: opaque('from the model’s files'), type, shape: list('number') } as const)

export const inference = capability<InferenceCapability>()('inference', {
  guarded: { reason: 'tensors, not text' },
  methods: {
    run: {
      kind: 'call',
      request: { inputs: tensors, 'outputs?': list(opaque('must equal names of the model')) },
      result: { outputs: tensors },
    },
    signature: {
      kind: 'call',
      request: {},
      result: {
        inputs: signatures,
        outputs: signatures,
        'metadata?': { '*': opaque('from the model’s files') },
      },
    },
  },
})
