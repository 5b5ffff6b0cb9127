import { failure } from '@sallyport/core'
import type { Tensor, TensorSignature } from '@sallyport/core'
import { bytesPerElement, elementsOf } from './tensor-types.js'

/** The inputs and outputs of a model. */
export interface Signature {
  readonly inputs: readonly TensorSignature[]
  readonly outputs: readonly TensorSignature[]
}

/** Checks the inputs and outputs of a run against the model's signature. @throws invalid_request, naming the field */
export const checkRun = (
  signature: Signature,
  inputs: Readonly<Record<string, Tensor>>,
  outputs: readonly string[] | undefined,
): void => {
  for (const name of Object.keys(inputs)) checkName('inputs', name, signature.inputs)
  for (const name of outputs ?? []) checkName('outputs', name, signature.outputs)
  if (outputs?.length === 0) throw invalid('outputs', 'name at least one, or leave the field out for all')
  for (const declared of signature.inputs) {
    const tensor = Object.hasOwn(inputs, declared.name) ? inputs[declared.name] : undefined
    if (!tensor) throw invalid('inputs', `the model needs ${describe(declared)}`)
    const problem = mismatch(tensor, declared)
    if (problem !== undefined) throw invalid(`inputs.${declared.name}`, problem)
  }
}

const invalid = (field: string, problem: string) => failure('invalid_request', { field, problem })

const checkName = (field: string, name: string, declared: readonly TensorSignature[]): void => {
  if (declared.some((one) => one.name === name)) return
  const names = declared.map((one) => one.name).join(', ')
  throw invalid(field, `the model has no "${name.slice(0, 64)}": it has ${names || 'none'}`)
}

/** Undefined where the tensor fits. */
const mismatch = ({ type, shape, data }: Tensor, declared: TensorSignature): string | undefined => {
  if (type !== declared.type) return `must be of the type ${declared.type}`
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) return 'the shape must consist of whole numbers'
  if (!fitsShape(shape, declared.shape))
    return `must have the shape ${formatShape(declared.shape)}, where -1 is any size`
  const bytes = elementsOf(shape) * (bytesPerElement(type) ?? 0)
  return data.byteLength === bytes ? undefined : `must have ${bytes} bytes for its shape, not ${data.byteLength}`
}

/** @param declared -1 is any size */
export const fitsShape = (shape: readonly number[], declared: readonly number[]): boolean =>
  shape.length === declared.length && declared.every((size, axis) => size === -1 || size === shape[axis])

const describe = ({ name, type, shape }: TensorSignature) => `"${name}" (${type} ${formatShape(shape)})`

export const formatShape = (shape: readonly number[]) => `[${shape.join(', ')}]`
