import { inference } from '@sallyport/core'
import type { InferenceCapability, Tensor } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling, withoutMixing } from './calls.js'

type Tensors = Record<string, Tensor>

const changeInputs = (change: (inputs: Tensors) => Tensors) =>
  askedOf<InferenceCapability, 'run'>('run', ({ inputs, ...request }) => ({ ...request, inputs: change(inputs) }))

const changeEach = (change: (tensor: Tensor) => Tensor) => (tensors: Tensors) =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, change(tensor)]))

const changeOutputs = (change: (outputs: Tensors) => Tensors) =>
  answeredBy<InferenceCapability, 'run'>('run', ({ outputs }) => ({ outputs: change(outputs) }))

const refused = (problem: string) => `${problem} is refused with invalid_request`

const absent: Tensor = { type: 'FP32', shape: [1, 3], data: new Uint8Array(12) }

export const inferenceFaults = plant<InferenceCapability>({
  capability: inference,
  ...references.inference,
  faults: {
    ...callFaults<InferenceCapability, 'run'>('run', ({ outputs }, times) => ({
      outputs: changeEach(({ data, ...tensor }) => ({ ...tensor, data: data.map((byte) => byte + times) }))(outputs),
    })),
    ...withoutMixing(
      callFaults<InferenceCapability, 'signature'>('signature', (result, times) => ({
        ...result,
        outputs: [{ name: `${times}`, type: 'BOOL', shape: [] }],
      })),
    ),
    'the signature has names, types and shapes': answeredBy('signature', ({ inputs, outputs }) => ({
      inputs,
      outputs: outputs.map((one) => ({ ...one, name: '' })),
    })),
    'the outputs are those of the signature': changeOutputs(
      changeEach((tensor) => ({ ...tensor, shape: [...tensor.shape, 1] })),
    ),
    'outputs hold as many bytes as their shape says': changeOutputs(
      changeEach(({ data, ...tensor }) => ({ ...tensor, data: Uint8Array.from([...data, 0]) })),
    ),
    'only the outputs that are asked for come': askedOf('run', ({ inputs }) => ({ inputs })),
    'bytes that are not aligned are read all the same': changeInputs(
      changeEach(({ data, ...tensor }) => ({ ...tensor, data: new Uint8Array(data.buffer, 0, data.byteLength) })),
    ),
    [refused('an unknown input')]: changeInputs((inputs) => (inputs['x'] ? { x: inputs['x'] } : {})),
    [refused('a missing input')]: changeInputs((inputs) => ({ x: absent, ...inputs })),
    [refused('an unknown output')]: askedOf('run', ({ inputs }) => ({ inputs })),
    [refused('an inherited name for an output')]: calling('run', (inner) => async (request, call) => {
      const { outputs } = await inner({ inputs: request.inputs }, call)
      return { outputs: Object.fromEntries((request.outputs ?? []).map((name) => [name, outputs[name] ?? absent])) }
    }),
    [refused('too few bytes')]: changeInputs(
      changeEach(({ data, shape, type }) => {
        const padded = new Uint8Array(shape.reduce((product, size) => product * size, 4))
        padded.set(data)
        return { type, shape, data: padded }
      }),
    ),
    [refused('a negative size')]: changeInputs(
      changeEach(({ shape, ...tensor }) => ({ ...tensor, shape: shape.map((size) => Math.abs(size)) })),
    ),
    [refused('one dimension too many')]: changeInputs(
      changeEach(({ shape, ...tensor }) => ({ ...tensor, shape: shape.slice(0, 2) })),
    ),
  },
})
