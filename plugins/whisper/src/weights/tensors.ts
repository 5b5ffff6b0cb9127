import { fromFloat16 } from '@sallyport/kit/numbers'
import { FormatError } from '@sallyport/weights'
import type { StoredTensor, StoredTensors } from './ctranslate2-file.js'
import type { ModelDimensions, StoredValues } from './checkpoint.js'

/** OpenAI's and CTranslate2's name of a tensor and, for stacked tensors, the index and the number of the parts. */
type Rename = readonly [to: string, from: string, part?: number, parts?: number]

/** Renames the tensors of the file, and splits projections that CTranslate2 stacks. @throws FormatError */
export const whisperTensors = (
  stored: StoredTensors,
  { encoder, decoder }: Pick<ModelDimensions, 'encoder' | 'decoder'>,
): Map<string, StoredValues> => {
  const renames: Rename[] = [
    ['encoder.positional_embedding', 'encoder/position_encodings/encodings'],
    ...['conv1', 'conv2'].flatMap((name) => linear(`encoder.${name}`, `encoder/${name}`)),
    ...norm('encoder.ln_post', 'encoder/layer_norm'),
    ['decoder.positional_embedding', 'decoder/position_encodings/encodings'],
    ['decoder.token_embedding.weight', 'decoder/embeddings/weight'],
    ...norm('decoder.ln', 'decoder/layer_norm'),
    ...range(encoder.layers).flatMap((index) => block(`encoder.blocks.${index}`, `encoder/layer_${index}`)),
    ...range(decoder.layers).flatMap((index) => [
      ...block(`decoder.blocks.${index}`, `decoder/layer_${index}`),
      ...crossAttention(`decoder.blocks.${index}`, `decoder/layer_${index}/attention`),
    ]),
  ]
  return new Map(renames.map(([to, from, part = 0, parts = 1]) => [to, slice(stored, from, part, parts)]))
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

const norm = (to: string, from: string): Rename[] => [
  [`${to}.weight`, `${from}/gamma`],
  [`${to}.bias`, `${from}/beta`],
]

const linear = (to: string, from: string, part = 0, parts = 1): Rename[] => [
  [`${to}.weight`, `${from}/weight`, part, parts],
  [`${to}.bias`, `${from}/bias`, part, parts],
]

/** Query, key and value are stacked. Whisper's keys have no bias; the file has zeros for it. */
const block = (to: string, from: string): Rename[] => [
  ...norm(`${to}.attn_ln`, `${from}/self_attention/layer_norm`),
  ...linear(`${to}.attn.query`, `${from}/self_attention/linear_0`, 0, 3),
  [`${to}.attn.key.weight`, `${from}/self_attention/linear_0/weight`, 1, 3],
  ...linear(`${to}.attn.value`, `${from}/self_attention/linear_0`, 2, 3),
  ...linear(`${to}.attn.out`, `${from}/self_attention/linear_1`),
  ...norm(`${to}.mlp_ln`, `${from}/ffn/layer_norm`),
  ...linear(`${to}.mlp.0`, `${from}/ffn/linear_0`),
  ...linear(`${to}.mlp.2`, `${from}/ffn/linear_1`),
]

/** Keys and values of the encoder's output are stacked. */
const crossAttention = (to: string, from: string): Rename[] => [
  ...norm(`${to}.cross_attn_ln`, `${from}/layer_norm`),
  ...linear(`${to}.cross_attn.query`, `${from}/linear_0`),
  [`${to}.cross_attn.key.weight`, `${from}/linear_1/weight`, 0, 2],
  ...linear(`${to}.cross_attn.value`, `${from}/linear_1`, 1, 2),
  ...linear(`${to}.cross_attn.out`, `${from}/linear_2`),
]

const slice = (stored: StoredTensors, from: string, part: number, parts: number): StoredValues => {
  const tensor = stored.get(from)
  const [rows = 0, ...rest] = tensor?.shape ?? []
  if (!tensor || rows === 0 || rows % parts) throw new FormatError(`the file has no valid tensor ${from}`)
  const values = () => {
    const all = floats(from, tensor)
    const length = all.length / parts
    return all.subarray(part * length, (part + 1) * length)
  }
  return { shape: [rows / parts, ...rest], values }
}

const floats = (name: string, { type, data }: StoredTensor): Float32Array => {
  if (type !== 'float16' && type !== 'float32')
    throw new FormatError(`${name} is stored as ${type}: only models in float16 or float32 are supported`)
  const { buffer } = data()
  return type === 'float16' ? fromFloat16(new Uint16Array(buffer)) : new Float32Array(buffer)
}
