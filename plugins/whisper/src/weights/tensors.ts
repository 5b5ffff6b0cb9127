import { fromFloat16 } from '@sallyport/kit/numbers'
import { FormatError } from '@sallyport/weights'
import type { StoredTensor } from './ctranslate2-file.js'
import type { StoredValues } from './network.js'

/** A tensor under its name in OpenAI's checkpoints. */
type NamedTensor = StoredValues & { readonly name: string }

type Stored = ReadonlyMap<string, StoredTensor>

/** The tensors of the file, renamed; projections that CTranslate2 stacks are cut apart. @throws FormatError */
export const whisperTensors = (
  stored: Stored,
  layers: { encoder: number; decoder: number },
): Map<string, StoredValues> => {
  const whole = (name: string, from: string) => slice(stored, name, from, 0, 1)
  const tensors = [
    whole('encoder.positional_embedding', 'encoder/position_encodings/encodings'),
    ...['conv1', 'conv2'].flatMap((name) => convolution(stored, name)),
    ...norm(stored, 'encoder.ln_post', 'encoder/layer_norm'),
    whole('decoder.positional_embedding', 'decoder/position_encodings/encodings'),
    whole('decoder.token_embedding.weight', 'decoder/embeddings/weight'),
    ...norm(stored, 'decoder.ln', 'decoder/layer_norm'),
    ...range(layers.encoder).flatMap((index) => encoderBlock(stored, index)),
    ...range(layers.decoder).flatMap((index) => decoderBlock(stored, index)),
  ]
  return new Map(tensors.map((tensor) => [tensor.name, tensor]))
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

const convolution = (stored: Stored, name: string): NamedTensor[] =>
  linear(stored, `encoder.${name}`, `encoder/${name}`)

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
  const values = () => {
    const all = floats(from, tensor)
    const length = all.length / parts
    return all.subarray(part * length, (part + 1) * length)
  }
  return { name, shape: [rows / parts, ...rest], values }
}

const floats = (name: string, { type, data }: StoredTensor): Float32Array => {
  if (type !== 'float16' && type !== 'float32')
    throw new FormatError(`${name} is stored as ${type}: only models in float16 or float32 are read`)
  const { buffer } = data()
  return type === 'float16' ? fromFloat16(new Uint16Array(buffer)) : new Float32Array(buffer)
}
