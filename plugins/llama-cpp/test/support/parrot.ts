/**
 * A model that says what it is told to: its attention is zero, so the next token depends on the last one alone. The
 * vocabulary has every byte, and every piece of the text as a token of its own.
 */

import { byteOfCharacter } from '@sallyport/kit/generation'
import { writeGguf, writeGgufParts } from './gguf-writer.js'
import type { TensorData, Value } from './gguf-writer.js'

/** After a prompt that ends in `after` (or in anything, the last resort) these chunks come, one token each. */
export interface Saying {
  readonly after?: string
  /** As text, or as bytes where a piece is not whole characters. */
  readonly chunks: readonly (string | Uint8Array)[]
  /** The model goes on from its last piece with its first, and never ends. */
  readonly endless?: boolean
}

export interface ParrotOptions {
  readonly contextLength?: number
  /** null: none. */
  readonly template?: string | null
  /** Makes it a model for embeddings: the mean of the bytes of a text. */
  readonly forEmbeddings?: boolean
  /** What the second-best token loses against the best, in logits. Default: 8. */
  readonly lead?: number
  readonly metadata?: Readonly<Record<string, Value>>
}

const end = '<|end|>'
export const controlTexts = [end, '<|begin|>', '<|turn|>'] as const

const characterOfByte = new Map([...byteOfCharacter].map(([character, byte]) => [byte, character]))
const spelled = (bytes: Uint8Array) => Array.from(bytes, (byte) => characterOfByte.get(byte)!).join('')
const multipleOf32 = (value: number) => Math.ceil(value / 32) * 32

/** The prompt is the contents alone, so that the last byte of the last message decides about the answer. */
export const plainTemplate = `{% for message in messages %}{{ '<|turn|>' + message.content }}{% endfor %}`

export const parrot = (sayings: readonly Saying[], options: ParrotOptions = {}): Buffer =>
  writeGguf(...contentOf(sayings, options))

export const parrotParts = (sayings: readonly Saying[], count: number): Buffer[] =>
  writeGgufParts(...contentOf(sayings, {}), count)

type Content = [metadata: Record<string, Value>, tensors: TensorData[]]

const contentOf = (sayings: readonly Saying[], options: ParrotOptions): Content => {
  const { contextLength = 512, template = plainTemplate, forEmbeddings = false, lead = 8 } = options
  const chunks = sayings.flatMap((saying) => saying.chunks)
  const bytes = Array.from({ length: 256 }, (_, byte) => spelled(Uint8Array.of(byte)))
  const spellings = chunks.map((chunk) => spelled(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  assertDistinct(spellings)
  const firstPiece = bytes.length + controlTexts.length
  const endToken = bytes.length
  const vocabulary = [...bytes, ...controlTexts, ...spellings]
  const width = multipleOf32(vocabulary.length)
  const successors = successorsOf(sayings, firstPiece, endToken)
  return [
    {
      'general.architecture': { text: 'llama' },
      'general.name': { text: 'Parrot' },
      'llama.context_length': { u32: contextLength },
      'llama.embedding_length': { u32: width },
      'llama.block_count': { u32: 1 },
      'llama.feed_forward_length': { u32: 32 },
      'llama.attention.head_count': { u32: 2 },
      'llama.rope.dimension_count': { u32: width / 2 },
      'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
      ...(forEmbeddings ? { 'llama.pooling_type': { u32: 1 } } : {}),
      'tokenizer.ggml.model': { text: 'gpt2' },
      'tokenizer.ggml.pre': { text: 'gpt-2' },
      'tokenizer.ggml.tokens': { texts: vocabulary },
      'tokenizer.ggml.token_type': { i32s: vocabulary.map((_, id) => (id >= 256 && id < firstPiece ? 3 : 1)) },
      'tokenizer.ggml.merges': { texts: [] },
      'tokenizer.ggml.eos_token_id': { u32: endToken },
      'tokenizer.ggml.add_bos_token': { bool: false },
      ...(template === null ? {} : { 'tokenizer.chat_template': { text: template } }),
      ...options.metadata,
    },
    weights({ vocabulary: vocabulary.length, width, successors, lead }),
  ]
}

/** By token. Bytes and control tokens lead to the saying that comes after them, or to the last resort. */
const successorsOf = (sayings: readonly Saying[], firstPiece: number, endToken: number): Map<number, number> => {
  const successors = new Map<number, number>()
  let start = firstPiece
  for (const { after, chunks, endless } of sayings) {
    const last = start + chunks.length - 1
    for (let token = start; token < last; token += 1) successors.set(token, token + 1)
    successors.set(last, endless ? start : endToken)
    if (after !== undefined) successors.set(Buffer.from(after).at(-1)!, start)
    else for (let token = 0; token < firstPiece; token += 1) if (!successors.has(token)) successors.set(token, start)
    start = last + 1
  }
  return successors
}

const assertDistinct = (chunks: readonly string[]): void => {
  const wrong = chunks.find((chunk, index) => chunks.indexOf(chunk) !== index || chunk.length < 2)
  if (wrong !== undefined) throw new Error(`the piece ${JSON.stringify(wrong)} occurs twice or is a single byte`)
}

interface Weights {
  readonly vocabulary: number
  readonly width: number
  readonly successors: ReadonlyMap<number, number>
  readonly lead: number
}

const weights = ({ vocabulary, width, successors, lead }: Weights): TensorData[] => {
  const embedding = new Float32Array(vocabulary * width)
  const output = new Float32Array(vocabulary * width)
  // the norm makes of a unit vector one of length sqrt(width)
  const strength = lead / Math.sqrt(width)
  for (let token = 0; token < vocabulary; token += 1) embedding[token * width + token] = 1
  for (const [token, next] of successors) output[next * width + token] = strength
  const zeros = (name: string, ...shape: number[]): TensorData => ({
    name,
    shape,
    values: new Float32Array(shape.reduce((product, size) => product * size, 1)),
  })
  const ones = (name: string): TensorData => ({ name, shape: [width], values: new Float32Array(width).fill(1) })
  return [
    { name: 'token_embd.weight', shape: [width, vocabulary], values: embedding },
    ones('output_norm.weight'),
    { name: 'output.weight', shape: [width, vocabulary], values: output },
    ones('blk.0.attn_norm.weight'),
    ...['q', 'k', 'v', 'output'].map((part) => zeros(`blk.0.attn_${part}.weight`, width, width)),
    ones('blk.0.ffn_norm.weight'),
    zeros('blk.0.ffn_gate.weight', width, 32),
    zeros('blk.0.ffn_up.weight', width, 32),
    zeros('blk.0.ffn_down.weight', 32, width),
  ]
}
