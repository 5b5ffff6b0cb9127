import { createHash } from 'node:crypto'
import { failure } from '@sallyport/core'
import type { EmbeddingCapability, EmbeddingInput, EmbeddingRequest } from '@sallyport/core'
import { knownTokens } from '@sallyport/kit/generation'
import { referenceService } from './backend.js'
import { decode, encode, isToken } from './tokens.js'
import { wordsOf } from './words.js'

const limits = {
  dimensions: 128,
  /** Words. */
  contextLength: 512,
}

const Trigrams = referenceService<EmbeddingCapability>({
  embed: ({ inputs, truncate, dimensions }) => {
    if (dimensions !== undefined && !(dimensions >= 1 && dimensions <= limits.dimensions))
      throw failure('unsupported', { field: 'dimensions', problem: `allowed are 1 to ${limits.dimensions}` })
    const texts = inputs.map((input, index) => fit(wordsOf(textOf(input, index)), truncate, `inputs[${index}]`))
    return {
      vectors: texts.map((words) => vectorOf(words.join(''), dimensions)),
      promptTokens: texts.reduce((sum, { length }) => sum + length, 0),
    }
  },
})

/** Counts character trigrams in hashed buckets, so that texts that share words and parts of words are similar. */
export const TrigramEmbedding = Object.assign(Trigrams, limits)

const unknown = Array.from(encode('\uFFFD'), ({ id }) => id)

const textOf = (input: EmbeddingInput, index: number): string => {
  if ('image' in input)
    throw failure('unsupported', { field: `inputs[${index}]`, problem: 'this model takes no images' })
  if ('text' in input) return input.text
  return decode(knownTokens(input.tokens, { has: isToken, unknown }, `inputs[${index}].tokens`))
}

const fit = (words: string[], truncate: EmbeddingRequest['truncate'], field: string): string[] => {
  const limit = limits.contextLength
  if (words.length <= limit) return words
  if (!truncate) throw failure('context_exceeded', { tokens: words.length, limit, field })
  return truncate === 'right' ? words.slice(0, limit) : words.slice(-limit)
}

const vectorOf = (text: string, dimensions = limits.dimensions): Float32Array => {
  const counts = new Float32Array(limits.dimensions)
  for (const trigram of trigramsOf(`^${text.toLowerCase().trim()}$`)) {
    const bucket = bucketOf(trigram)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  const shortened = counts.slice(0, dimensions)
  const length = Math.hypot(...shortened)
  return length > 0 ? shortened.map((value) => value / length) : shortened.fill(1 / Math.sqrt(dimensions))
}

/** The trigrams of a text; of one with fewer than three characters, the text itself. */
const trigramsOf = (text: string): string[] =>
  Array.from({ length: Math.max(1, text.length - 2) }, (_, start) => text.slice(start, start + 3))

const bucketOf = (trigram: string): number =>
  createHash('md5').update(trigram).digest().readUInt16LE() % limits.dimensions
