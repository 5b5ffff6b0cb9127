import type { StoredTensor } from './ctranslate2.js'
import { fromFloat16 } from '@sallyport/core'
import { FormatError } from './reader.js'

/** A tensor under the name that whisper.cpp knows. */
export interface NamedTensor {
  readonly name: string
  readonly shape: readonly number[]
  readonly values: () => Float32Array
}

type Stored = ReadonlyMap<string, StoredTensor>

/** The tensors of the file, renamed; projections that CTranslate2 stacks are cut apart. @throws FormatError */
export const whisperTensors = (stored: Stored, layers: { encoder: number; decoder: number }): NamedTensor[] => {
  const whole = (name: string, from: string) => slice(stored, name, from, 0, 1)
  return [
    whole('encoder.positional_embedding', 'encoder/position_encodings/encodings'),
    ...['conv1', 'conv2'].flatMap((name) => convolution(stored, name)),
    ...norm(stored, 'encoder.ln_post', 'encoder/layer_norm'),
    whole('decoder.positional_embedding', 'decoder/position_encodings/encodings'),
    whole('decoder.token_embedding.weight', 'decoder/embeddings/weight'),
    ...norm(stored, 'decoder.ln', 'decoder/layer_norm'),
    ...range(layers.encoder).flatMap((index) => encoderBlock(stored, index)),
    ...range(layers.decoder).flatMap((index) => decoderBlock(stored, index)),
  ]
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

/** The bias is added to rows, so whisper.cpp wants it as a column. */
const convolution = (stored: Stored, name: string): NamedTensor[] => {
  const bias = slice(stored, `encoder.${name}.bias`, `encoder/${name}/bias`, 0, 1)
  return [
    slice(stored, `encoder.${name}.weight`, `encoder/${name}/weight`, 0, 1),
    { ...bias, shape: [...bias.shape, 1] },
  ]
}

const encoderBlock = (stored: Stored, index: number): NamedTensor[] => {
  const [to, from] = [`encoder.blocks.${index}`, `encoder/layer_${index}`]
  return [...selfAttention(stored, to, from), ...feedForward(stored, to, from)]
}

const decoderBlock = (stored: Stored, index: number): NamedTensor[] => {
  const [to, from] = [`decoder.blocks.${index}`, `decoder/layer_${index}`]
  const cross = `${from}/attention`
  return [
    ...selfAttention(stored, to, from),
    ...norm(stored, `${to}.cross_attn_ln`, `${cross}/layer_norm`),
    ...linear(stored, `${to}.cross_attn.query`, `${cross}/linear_0`),
    slice(stored, `${to}.cross_attn.key.weight`, `${cross}/linear_1/weight`, 0, 2),
    ...linear(stored, `${to}.cross_attn.value`, `${cross}/linear_1`, 1, 2),
    ...linear(stored, `${to}.cross_attn.out`, `${cross}/linear_2`),
    ...feedForward(stored, to, from),
  ]
}

/** Query, key and value are stacked. Whisper's keys have no bias: what stands there is zeros. */
const selfAttention = (stored: Stored, to: string, from: string): NamedTensor[] => {
  const own = `${from}/self_attention`
  return [
    ...norm(stored, `${to}.attn_ln`, `${own}/layer_norm`),
    ...linear(stored, `${to}.attn.query`, `${own}/linear_0`, 0, 3),
    slice(stored, `${to}.attn.key.weight`, `${own}/linear_0/weight`, 1, 3),
    ...linear(stored, `${to}.attn.value`, `${own}/linear_0`, 2, 3),
    ...linear(stored, `${to}.attn.out`, `${own}/linear_1`),
  ]
}

const feedForward = (stored: Stored, to: string, from: string): NamedTensor[] => [
  ...norm(stored, `${to}.mlp_ln`, `${from}/ffn/layer_norm`),
  ...linear(stored, `${to}.mlp.0`, `${from}/ffn/linear_0`),
  ...linear(stored, `${to}.mlp.2`, `${from}/ffn/linear_1`),
]

const norm = (stored: Stored, to: string, from: string): NamedTensor[] => [
  slice(stored, `${to}.weight`, `${from}/gamma`, 0, 1),
  slice(stored, `${to}.bias`, `${from}/beta`, 0, 1),
]

const linear = (stored: Stored, to: string, from: string, part = 0, parts = 1): NamedTensor[] => [
  slice(stored, `${to}.weight`, `${from}/weight`, part, parts),
  slice(stored, `${to}.bias`, `${from}/bias`, part, parts),
]

/** One of so many equal parts of a tensor's rows. */
const slice = (stored: Stored, name: string, from: string, part: number, parts: number): NamedTensor => {
  const tensor = stored.get(from)
  const [rows = 0, ...rest] = tensor?.shape ?? []
  if (!tensor || rows === 0 || rows % parts) throw new FormatError(`the file has no sound tensor ${from}`)
  const bytes = tensor.data.length / parts
  const data = tensor.data.subarray(part * bytes, (part + 1) * bytes)
  return { name, shape: [rows / parts, ...rest], values: () => floats(from, tensor.type, data) }
}

const floats = (name: string, type: StoredTensor['type'], data: Buffer): Float32Array => {
  const copy = data.buffer.slice(data.byteOffset, data.byteOffset + data.length)
  if (type === 'float16') return fromFloat16(new Uint16Array(copy))
  if (type === 'float32') return new Float32Array(copy)
  throw new FormatError(`${name} is stored as ${type}: only models in float16 or float32 are read`)
}
