import { maxOf } from '@sallyport/kit/lists'
import type { MemoryEstimate } from '@sallyport/core'
import { GgufError } from './file-window.js'
import type { GgufHeader } from './header.js'
import { numberAt } from './metadata.js'
import type { Metadata } from './metadata.js'

/** How the vectors of the tokens are combined into one (llama.h, `llama_pooling_type`). */
export type Pooling = 'none' | 'mean' | 'cls' | 'last' | 'rank'

const poolings: readonly Pooling[] = ['none', 'mean', 'cls', 'last', 'rank']

/** The facts about a model in its header. Lengths of embeddings and of the feed-forward layer are in elements. */
export interface ModelFacts {
  readonly architecture: string
  readonly name: string | undefined
  /** Tokens that the model is trained for; 0 where the header does not say. */
  readonly contextLength: number
  readonly blocks: number
  readonly embeddingLength: number
  readonly feedForwardLength: number
  /** The number of tokens in the vocabulary. */
  readonly vocabulary: number
  readonly chatTemplate: string | undefined
  /** Absent for models that are not trained for embeddings. */
  readonly pooling: Pooling | undefined
  readonly causal: boolean
  /** Whether the tokenizer puts a space before the text, which detokenizing takes away. */
  readonly spacePrefix: boolean
  /** Whether no token spans words, where the vocabulary is a byte-pair one. */
  readonly separatesWords: boolean
  readonly weightBytes: number
  /** The number of weights. */
  readonly parameters: number
  /** Bytes of one token's keys and values over all blocks, in half precision. */
  readonly cacheBytesPerToken: number
}

/** @throws GgufError when something that loading needs is missing */
export const modelFacts = ({ metadata, tensors }: GgufHeader): ModelFacts => {
  const architecture = stringAt(metadata, 'general.architecture')
  if (!architecture) throw new GgufError('general.architecture is missing: this is not a model')
  const valueOf = (key: string) => numberAt(metadata, `${architecture}.${key}`)
  const vocabulary = lengthOf(metadata, 'tokenizer.ggml.tokens')
  if (vocabulary === 0) throw new GgufError('the vocabulary is missing')
  const embeddingLength = valueOf('embedding_length') ?? 0
  const pooling = valueOf('pooling_type')
  return {
    architecture,
    name: stringAt(metadata, 'general.name'),
    contextLength: valueOf('context_length') ?? 0,
    blocks: valueOf('block_count') ?? 0,
    embeddingLength,
    feedForwardLength: largestAt(metadata, `${architecture}.feed_forward_length`) ?? 4 * embeddingLength,
    vocabulary,
    chatTemplate: stringAt(metadata, 'tokenizer.chat_template'),
    pooling: pooling === undefined ? undefined : poolings[pooling],
    causal: metadata.get(`${architecture}.attention.causal`) !== false,
    spacePrefix: metadata.get('tokenizer.ggml.add_space_prefix') !== false,
    separatesWords: metadata.get('tokenizer.ggml.pre') !== 'superbpe',
    weightBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
    parameters: tensors.reduce((sum, { elements }) => sum + elements, 0),
    cacheBytesPerToken: cacheBytes(metadata, architecture, embeddingLength),
  }
}

/**
 * Weights, cache for `contextLength` tokens of each of `parallel` sequences, and the buffers of one evaluation of
 * `batch` tokens. The compute part is an upper estimate: logits of the whole batch, and activations that are live at
 * the same time.
 */
export const estimateMemory = (
  facts: ModelFacts,
  { contextLength, parallel, batch }: { contextLength: number; parallel: number; batch: number },
): MemoryEstimate => ({
  weights: facts.weightBytes,
  cache: facts.cacheBytesPerToken * contextLength * parallel,
  compute: batch * 4 * (facts.vocabulary + 8 * facts.embeddingLength + 3 * facts.feedForwardLength),
})

const cacheBytes = (metadata: Metadata, architecture: string, embeddingLength: number): number => {
  const valueOf = (key: string) => numberAt(metadata, `${architecture}.${key}`)
  const heads = largestAt(metadata, `${architecture}.attention.head_count`) ?? 1
  const headLength = embeddingLength / heads
  const keyLength = valueOf('attention.key_length') ?? headLength
  const valueLength = valueOf('attention.value_length') ?? headLength
  const perBlock = metadata.get(`${architecture}.attention.head_count_kv`)
  const cacheHeads =
    typeof perBlock === 'object'
      ? (perBlock.values ?? []).reduce((sum, each) => sum + each, 0)
      : (valueOf('block_count') ?? 0) * (valueOf('attention.head_count_kv') ?? heads)
  return 2 * cacheHeads * (keyLength + valueLength)
}

const largestAt = (metadata: Metadata, key: string): number | undefined => {
  const value = metadata.get(key)
  return typeof value === 'object' ? maxOf(value.values ?? [], 0) : numberAt(metadata, key)
}

const stringAt = (metadata: Metadata, key: string): string | undefined => {
  const value = metadata.get(key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const lengthOf = (metadata: Metadata, key: string): number => {
  const value = metadata.get(key)
  return typeof value === 'object' ? value.length : 0
}
