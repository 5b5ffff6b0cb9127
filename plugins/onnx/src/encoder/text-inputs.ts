import { maxOf } from '@sallyport/kit/lists'
import type { Tensor, TensorSignature } from '@sallyport/core'
import type { Encoding } from '../text/frame.js'

/** The inputs that a model of texts may have, by token. Padding comes at the end and is masked out. */
const perToken: Readonly<Record<string, (encoding: Encoding, position: number, padId: number) => number>> = {
  input_ids: ({ ids }, position, padId) => ids[position] ?? padId,
  attention_mask: ({ ids }, position) => (position < ids.length ? 1 : 0),
  token_type_ids: ({ typeIds }, position) => typeIds?.[position] ?? 0,
  position_ids: (_, position) => position,
}

const canFeed = ({ name, type, shape }: TensorSignature): boolean =>
  Object.hasOwn(perToken, name) && (type === 'INT64' || type === 'INT32') && shape.length === 2

/** Whether the model reads texts and has no inputs besides, except `others`. */
export const readsTexts = (inputs: readonly TensorSignature[], others: readonly string[]): boolean =>
  inputs.some(({ name }) => name === 'input_ids') &&
  inputs.every((input) => others.includes(input.name) || canFeed(input))

/** The sizes that a model's file fixes. */
export interface FixedShape {
  /** Texts of an evaluation. */
  readonly texts?: number
  /** Tokens of each text, padding included. */
  readonly tokens?: number
}

export const fixedShape = (inputs: readonly TensorSignature[]): FixedShape => {
  const [texts = -1, tokens = -1] = inputs.find(({ name }) => name === 'input_ids')?.shape ?? []
  return { ...(texts > 0 && { texts }), ...(tokens > 0 && { tokens }) }
}

/** The tensors [texts, tokens] that are made of texts. Where the number of texts is fixed, rows of padding fill it up. */
export const textInputs = (
  encodings: readonly Encoding[],
  inputs: readonly TensorSignature[],
  padId: number,
): Record<string, Tensor> => {
  const fixed = fixedShape(inputs)
  const texts = fixed.texts ?? encodings.length
  const tokens =
    fixed.tokens ??
    maxOf(
      encodings.map(({ ids }) => ids.length),
      1,
    )
  const filler: Encoding = { ids: [padId] }
  const rows = Array.from({ length: texts }, (_, row) => encodings[row] ?? filler)
  return Object.fromEntries(
    inputs.flatMap(({ name, type }) => {
      const values = perToken[name]
      if (!values) return []
      const data = integers(rows, tokens, type === 'INT64' ? 2 : 1, (row, position) => values(row, position, padId))
      return [[name, { type, shape: [texts, tokens], data }]]
    }),
  )
}

/** @param words of 32 bits per number, the lowest first: numbers are below 2³¹, and BigInt would be many times slower */
const integers = (
  rows: readonly Encoding[],
  tokens: number,
  words: 1 | 2,
  valueAt: (row: Encoding, position: number) => number,
): Uint8Array => {
  const values = new Int32Array(rows.length * tokens * words)
  for (const [index, row] of rows.entries())
    for (let position = 0; position < tokens; position += 1)
      values[(index * tokens + position) * words] = valueAt(row, position)
  return new Uint8Array(values.buffer)
}
