import { maxOf } from '@sallyport/kit/lists'
import type { MemoryEstimate } from '@sallyport/core'
import { GgufError } from './header.js'
import type { GgufHeader } from './header.js'
import type { Metadata } from './metadata.js'

/** How the vectors of the tokens are combined into one (llama.h, `llama_pooling_type`). */
export type Pooling = 'none' | 'mean' | 'cls' | 'last' | 'rank'

const poolings: readonly Pooling[] = ['none', 'mean', 'cls', 'last', 'rank']

/**
 * The facts about a model in its header. Lengths are in tokens, sizes in elements where their names do not say bytes.
 */
export interface ModelFacts {
  readonly architecture: string
  readonly name: string | undefined
  readonly contextLength: number
  readonly blocks: number
  readonly embeddingLength: number
  readonly feedForwardLength: number
  readonly vocabulary: number
  readonly chatTemplate: string | undefined
  /** Absent for models that are not trained for embeddings. */
  readonly pooling: Pooling | undefined
  readonly causal: boolean
  /** The tokenizer puts a space before the text, which detokenizing takes away. */
  readonly spacePrefix: boolean
  /**
   * The tokenizer splits a text into words first, as all byte-pair tokenizers do except those whose tokens span words.
   */
  readonly separatesWords: boolean
  readonly weightBytes: number
  /** Bytes of one token's keys and values over all blocks, in half precision. */
  readonly cacheBytesPerToken: number
}

/** @throws GgufError when something that loading needs is missing */
export const modelFacts = ({ metadata, tensors }: GgufHeader): ModelFacts => {
  const architecture = text(metadata, 'general.architecture')
  if (!architecture) throw new GgufError('general.architecture is missing: this is not a model')
  const valueOf = (key: string) => number(metadata, `${architecture}.${key}`)
  const vocabulary = lengthOf(metadata, 'tokenizer.ggml.tokens')
  if (vocabulary === 0) throw new GgufError('the vocabulary is missing')
  const embeddingLength = valueOf('embedding_length') ?? 0
  const pooling = valueOf('pooling_type')
  return {
    architecture,
    name: text(metadata, 'general.name'),
    contextLength: valueOf('context_length') ?? 0,
    blocks: valueOf('block_count') ?? 0,
    embeddingLength,
    feedForwardLength: largest(metadata, `${architecture}.feed_forward_length`) ?? 4 * embeddingLength,
    vocabulary,
    chatTemplate: text(metadata, 'tokenizer.chat_template'),
    pooling: pooling === undefined ? undefined : poolings[pooling],
    causal: metadata.get(`${architecture}.attention.causal`) !== false,
    spacePrefix: metadata.get('tokenizer.ggml.add_space_prefix') !== false,
    separatesWords: metadata.get('tokenizer.ggml.pre') !== 'superbpe',
    weightBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
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
  const valueOf = (key: string) => number(metadata, `${architecture}.${key}`)
  const heads = largest(metadata, `${architecture}.attention.head_count`) ?? 1
  const headLength = embeddingLength / heads
  const keyLength = valueOf('attention.key_length') ?? headLength
  const valueLength = valueOf('attention.value_length') ?? headLength
  return 2 * keyValueHeads(metadata, architecture, heads) * (keyLength + valueLength)
}

/** Sum over the blocks: some architectures have a value per block. */
const keyValueHeads = (metadata: Metadata, architecture: string, heads: number): number => {
  const blocks = number(metadata, `${architecture}.block_count`) ?? 0
  const value = metadata.get(`${architecture}.attention.head_count_kv`)
  if (typeof value === 'object') return (value.values ?? []).reduce((sum, each) => sum + each, 0)
  return blocks * (typeof value === 'number' ? value : heads)
}

const number = (metadata: Metadata, key: string): number | undefined => {
  const value = metadata.get(key)
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

const largest = (metadata: Metadata, key: string): number | undefined => {
  const value = metadata.get(key)
  return typeof value === 'object' ? maxOf(value.values ?? [], 0) : number(metadata, key)
}

const text = (metadata: Metadata, key: string): string | undefined => {
  const value = metadata.get(key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const lengthOf = (metadata: Metadata, key: string): number => {
  const value = metadata.get(key)
  return typeof value === 'object' ? value.length : 0
}
