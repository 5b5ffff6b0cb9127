import { failure } from '@sallyport/core'
import type { Tensor, TensorSignature } from '@sallyport/core'
import { bytesPerElement, elementsOf } from './tensor-types.js'

/** Whether a run with these inputs and outputs fits what the model declares. @throws invalid_request, naming the field */
export const checkRun = (
  signature: { readonly inputs: readonly TensorSignature[]; readonly outputs: readonly TensorSignature[] },
  inputs: Readonly<Record<string, Tensor>>,
  outputs: readonly string[] | undefined,
): void => {
  for (const name of Object.keys(inputs)) known('inputs', name, signature.inputs)
  for (const name of outputs ?? []) known('outputs', name, signature.outputs)
  if (outputs?.length === 0) throw invalid('outputs', 'name one at least, or leave the field out for all')
  for (const declared of signature.inputs) {
    const tensor = Object.hasOwn(inputs, declared.name) ? inputs[declared.name] : undefined
    if (!tensor) throw invalid('inputs', `the model needs ${shown(declared)}`)
    const problem = mismatch(tensor, declared)
    if (problem !== undefined) throw invalid(`inputs.${declared.name}`, problem)
  }
}

const invalid = (field: string, problem: string) => failure('invalid_request', { field, problem })

const known = (field: string, name: string, declared: readonly TensorSignature[]): void => {
  if (declared.some((one) => one.name === name)) return
  const names = declared.map((one) => one.name).join(', ')
  throw invalid(field, `the model has no "${name.slice(0, 64)}": there are ${names || 'none'}`)
}

/** Undefined where the tensor fits. */
const mismatch = ({ type, shape, data }: Tensor, declared: TensorSignature): string | undefined => {
  if (type !== declared.type) return `must be of the type ${declared.type}`
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) return 'the shape must be of whole numbers'
  const fits =
    shape.length === declared.shape.length && declared.shape.every((size, axis) => size === -1 || size === shape[axis])
  if (!fits) return `must have the shape ${shownShape(declared.shape)}, where -1 is any size`
  const bytes = elementsOf(shape) * (bytesPerElement(type) ?? 0)
  return data.byteLength === bytes ? undefined : `must have ${bytes} bytes for its shape, not ${data.byteLength}`
}

const shown = ({ name, type, shape }: TensorSignature) => `"${name}" (${type} ${shownShape(shape)})`

const shownShape = (shape: readonly number[]) => `[${shape.join(', ')}]`
