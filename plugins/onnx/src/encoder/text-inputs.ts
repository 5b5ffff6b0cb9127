import { maxOf } from '@sallyport/kit/lists'
import type { Tensor, TensorSignature } from '@sallyport/core'
import type { Encoding } from '../text/token-template.js'

/** The inputs that a text model may have, by token. Padding comes at the end and is masked out. */
const perToken: Readonly<Record<string, (encoding: Encoding, position: number, padId: number) => number>> = {
  input_ids: ({ ids }, position, padId) => ids[position] ?? padId,
  attention_mask: ({ ids }, position) => (position < ids.length ? 1 : 0),
  token_type_ids: ({ typeIds }, position) => typeIds?.[position] ?? 0,
  position_ids: (_, position) => position,
}

const canFeed = ({ name, type, shape }: TensorSignature): boolean =>
  Object.hasOwn(perToken, name) && (type === 'INT64' || type === 'INT32') && shape.length === 2

/** Whether the model takes texts and has no further inputs, except `others`. */
export const takesTexts = (inputs: readonly TensorSignature[], others: readonly string[]): boolean =>
  inputs.some(({ name }) => name === 'input_ids') &&
  inputs.every((input) => others.includes(input.name) || canFeed(input))

/** The sizes of the inputs that a model's file fixes. */
export interface FixedShape {
  readonly batchSize?: number
  /** In tokens, padding included. */
  readonly sequenceLength?: number
}

export const fixedShape = (inputs: readonly TensorSignature[]): FixedShape => {
  const [batchSize = -1, sequenceLength = -1] = inputs.find(({ name }) => name === 'input_ids')?.shape ?? []
  return { ...(batchSize > 0 && { batchSize }), ...(sequenceLength > 0 && { sequenceLength }) }
}

/** The input tensors, [batch, sequence], for these encodings. A fixed batch size is filled up with rows of padding. */
export const textInputs = (
  encodings: readonly Encoding[],
  inputs: readonly TensorSignature[],
  padId: number,
): Record<string, Tensor> => {
  const fixed = fixedShape(inputs)
  const batchSize = fixed.batchSize ?? encodings.length
  const sequenceLength =
    fixed.sequenceLength ??
    maxOf(
      encodings.map(({ ids }) => ids.length),
      1,
    )
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
