import { endianness } from 'node:os'
import { normalised } from '@sallyport/kit/numbers'
import { BadReply, countOf, fieldsOf, listOf } from './read.js'

export interface WireVectors {
  /** In the order of the inputs, of unit length. */
  readonly vectors: Float32Array[]
  readonly promptTokens: number
}

/** Decodes the response to an embeddings request. @param inputs number of inputs @throws BadReply */
export const decodeVectors = (answer: unknown, inputs: number): WireVectors => {
  const { data, usage } = fieldsOf(answer, 'the answer')
  const entries = listOf(data, 'data').map((entry) => fieldsOf(entry, 'an embedding'))
  if (entries.length !== inputs) throw new BadReply(`it sent ${entries.length} embeddings for ${inputs} inputs`)
  const vectors: Float32Array[] = []
  entries.forEach(({ index, embedding }, position) => {
    vectors[countOf(index) ?? position] = normalised(vectorOf(embedding))
  })
  const length = vectors[0]?.length ?? 0
  for (let index = 0; index < inputs; index += 1)
    if (vectors[index]?.length !== length) throw new BadReply('its embeddings differ in length, or one is missing')
  return { vectors: vectors.slice(0, inputs), promptTokens: countOf(fieldsOf(usage, 'usage').prompt_tokens) ?? 0 }
}

const vectorOf = (embedding: unknown): Float32Array => {
  const vector = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(listOf(embedding, 'an embedding'))
  if (!vector.length || !vector.every(Number.isFinite)) throw new BadReply('an embedding is not a list of numbers')
  return vector
}

/** Values that are not numbers become NaN, which is refused; `Float32Array` would convert some strings to numbers. */
const fromNumbers = (values: readonly unknown[]) =>
  Float32Array.from(values, (value) => (typeof value === 'number' ? value : Number.NaN))

/** Little-endian 32-bit floats. */
const fromBase64 = (text: string): Float32Array => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4) throw new BadReply('an embedding is cut off')
  if (endianness() === 'BE') bytes.swap32()
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
