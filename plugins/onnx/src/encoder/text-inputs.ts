import { maxOf } from '@sallyport/kit/lists'
import type { Tensor, TensorSignature } from '@sallyport/core'
import type { Encoding } from '../text/token-template.js'

/** The value of each input of a text model for one token. Padding comes at the end and is masked out. */
const perToken: Readonly<Record<string, (encoding: Encoding, position: number, padId: number) => number>> = {
  input_ids: ({ ids }, position, padId) => ids[position] ?? padId,
  attention_mask: ({ ids }, position) => (position < ids.length ? 1 : 0),
  token_type_ids: ({ typeIds }, position) => typeIds?.[position] ?? 0,
  position_ids: (_, position) => position,
}

/** Whether {@link textInputs} makes a tensor for this input. */
export const isTextInput = ({ name, type, shape }: TensorSignature): boolean =>
  Object.hasOwn(perToken, name) && (type === 'INT64' || type === 'INT32') && shape.length === 2

/** The sizes of the inputs that a model's file fixes; those that it leaves open are undefined. */
export const fixedShape = (inputs: readonly TensorSignature[]) => {
  const { shape = [] } = inputs.find(({ name }) => name === 'input_ids') ?? {}
  const [batchSize, sequenceLength] = shape.map((size) => (size > 0 ? size : undefined))
  return { batchSize, sequenceLength }
}

/** The input tensors, [batch, sequence], for these encodings. A fixed batch size is filled up with rows of padding. */
export const textInputs = (
  encodings: readonly Encoding[],
  inputs: readonly TensorSignature[],
  padId: number,
): Record<string, Tensor> => {
  const fixed = fixedShape(inputs)
  const batchSize = fixed.batchSize ?? encodings.length
  const lengths = encodings.map(({ ids }) => ids.length)
  const sequenceLength = fixed.sequenceLength ?? maxOf(lengths, 1)
  const filler: Encoding = { ids: [padId] }
  const rows = Array.from({ length: batchSize }, (_, row) => encodings[row] ?? filler)
  return Object.fromEntries(
    inputs.flatMap(({ name, type }) => {
      const values = perToken[name]
      if (!values) return []
      const valueAt = (row: Encoding, position: number) => values(row, position, padId)
      const data = integers(rows, sequenceLength, type === 'INT64' ? 2 : 1, valueAt)
      return [[name, { type, shape: [batchSize, sequenceLength], data }]]
    }),
  )
}

/**
 * Written as 32-bit words, least significant first, since BigInt would be many times slower; all numbers are below 2³¹.
 * @param words how many words each number has
 */
const integers = (
  rows: readonly Encoding[],
  length: number,
  words: 1 | 2,
  valueAt: (row: Encoding, position: number) => number,
): Uint8Array => {
  const values = new Int32Array(rows.length * length * words)
  for (const [index, row] of rows.entries())
    for (let position = 0; position < length; position += 1)
      values[(index * length + position) * words] = valueAt(row, position)
  return new Uint8Array(values.buffer)
}
