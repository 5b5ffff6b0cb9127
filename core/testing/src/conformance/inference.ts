import assert from 'node:assert/strict'
import type { InferenceCapability, Tensor, TensorSignature, TensorType } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases, needs } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { assertPresent, rejectsWith, testCall } from './support.js'

type Tensors = Record<string, Tensor>
type RunRequest = { inputs: Tensors; outputs?: string[] }

const sizes: Record<TensorType, number> = {
  ...{ FP16: 2, FP32: 4, FP64: 8, INT8: 1, INT16: 2, INT32: 4, INT64: 8 },
  ...{ UINT8: 1, UINT16: 2, UINT32: 4, UINT64: 8, BOOL: 1 },
}

const needsTensors = needs('tensors')

const tensorsOf = ({ tensors }: ModelFacts, which: 0 | 1): Tensors => tensors?.[which] ?? assert.fail('no tensors')

const run = async (service: InferenceCapability, request: RunRequest) =>
  (await service.run(request, testCall())).outputs

const fits = ({ type, shape }: Tensor, signature: TensorSignature) =>
  type === signature.type &&
  shape.length === signature.shape.length &&
  signature.shape.every((size, dimension) => size === -1 || size === shape[dimension])

/** A copy of the bytes at an odd offset of its buffer. */
const misalign = (data: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(data.length + 1)
  bytes.set(data, 1)
  return bytes.subarray(1)
}

const mapEach = (tensors: Tensors, change: (tensor: Tensor) => Tensor): Tensors =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, change(tensor)]))

/** Requests that do not fit the model, by what is wrong with them. */
const wrongRequests: Readonly<Record<string, (inputs: Tensors) => RunRequest>> = {
  'an unknown input': (inputs) => ({
    inputs: { ...inputs, 'no such input': assertPresent(Object.values(inputs)[0], 'an input') },
  }),
  'a missing input': (inputs) => ({ inputs: Object.fromEntries(Object.entries(inputs).slice(1)) }),
  'an unknown output': (inputs) => ({ inputs, outputs: ['no such output'] }),
  'an inherited name for an output': (inputs) => ({ inputs, outputs: ['constructor'] }),
  'too few bytes': (inputs) => ({ inputs: mapEach(inputs, (tensor) => ({ ...tensor, data: tensor.data.slice(1) })) }),
  'a negative size': (inputs) => ({
    inputs: mapEach(inputs, (tensor) => ({ ...tensor, shape: [-(tensor.shape[0] || 1), ...tensor.shape.slice(1)] })),
  }),
  'one dimension too many': (inputs) => ({
    inputs: mapEach(inputs, (tensor) => ({ ...tensor, shape: [...tensor.shape, 1] })),
  }),
}

export const inferenceCases: readonly ConformanceCase<InferenceCapability>[] = [
  ...callCases<InferenceCapability, RunRequest, { outputs: Tensors }>({
    method: 'run',
    skipReason: needsTensors,
    request: (facts, which) => ({ inputs: tensorsOf(facts, which) }),
    invoke: (service, request, call) => service.run(request, call),
  }),
  ...callCases<InferenceCapability, object, { inputs: TensorSignature[]; outputs: TensorSignature[] }>({
    method: 'signature',
    withoutArguments: true,
    request: () => ({}),
    invoke: (service, request, call) => service.signature(request, call),
  }),
  ...cases<InferenceCapability>({
    'the signature has names, types and shapes': async (service) => {
      const { inputs, outputs } = await service.signature({}, testCall())
      assert.ok(inputs.length > 0 && outputs.length > 0, 'a model has inputs and outputs')
      for (const { name, type, shape } of [...inputs, ...outputs]) {
        assert.ok(name, 'a tensor has no name')
        assert.ok(type in sizes, `${type} is not a type of a tensor`)
        assert.ok(
          shape.every((size) => Number.isInteger(size) && size >= -1),
          `the shape ${shape.join()}`,
        )
      }
    },
  }),
  ...cases<InferenceCapability>(
    {
      'the outputs are those of the signature': async (service, facts) => {
        const { outputs: signatures } = await service.signature({}, testCall())
        const outputs = await run(service, { inputs: tensorsOf(facts, 0) })
        assert.deepEqual(new Set(Object.keys(outputs)), new Set(signatures.map(({ name }) => name)))
        for (const signature of signatures)
          assert.ok(
            fits(assertPresent(outputs[signature.name], signature.name), signature),
            `${signature.name} is not as the signature says`,
          )
      },
      'outputs hold as many bytes as their shape says': async (service, facts) => {
        for (const { type, shape, data } of Object.values(await run(service, { inputs: tensorsOf(facts, 0) })))
          assert.equal(
            data.byteLength,
            shape.reduce((product, size) => product * size, sizes[type]),
          )
      },
      'only the outputs that are asked for come': async (service, facts) => {
        const { outputs: signatures } = await service.signature({}, testCall())
        const { name } = signatures.at(-1) ?? assert.fail('there are no outputs')
        assert.deepEqual(Object.keys(await run(service, { inputs: tensorsOf(facts, 0), outputs: [name] })), [name])
      },
      'bytes that are not aligned are read all the same': async (service, facts) => {
        const inputs = tensorsOf(facts, 0)
        const moved = mapEach(inputs, (tensor) => ({ ...tensor, data: misalign(tensor.data) }))
        assert.deepEqual(await run(service, { inputs: moved }), await run(service, { inputs }))
      },
      ...Object.fromEntries(
        Object.entries(wrongRequests).map(([what, change]) => [
          `${what} is refused with invalid_request`,
          (service: InferenceCapability, facts: ModelFacts) =>
            rejectsWith(run(service, change(tensorsOf(facts, 0))), 'invalid_request'),
        ]),
      ),
    },
    needsTensors,
  ),
]
