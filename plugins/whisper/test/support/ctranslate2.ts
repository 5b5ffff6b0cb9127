/** Whisper models in CTranslate2's format, made here. */

export interface Sizes {
  readonly width: number
  readonly positions: number
  readonly tokens: number
  readonly vocabulary: number
  readonly layers: number
  readonly heads: number
}

/** Undefined for zeros. */
export type Fill = (name: string, length: number) => Float32Array | undefined

/** A `model.bin` with 80 mel bands. */
export const ctranslate2File = (sizes: Sizes, fill: Fill): Buffer => {
  const tensors = shapesOf(sizes).map(([name, shape]) => {
    const length = shape.reduce((product, size) => product * size, 1)
    const heads = name.endsWith('num_heads') ? Int16Array.of(sizes.heads) : undefined
    return written(name, shape, heads ?? fill(name, length) ?? new Float32Array(length))
  })
  const header = [integer(6, 4), text('WhisperSpec'), integer(3, 4), integer(tensors.length, 4)]
  return Buffer.concat([...header, ...tensors, integer(0, 4)])
}

type Shaped = readonly [name: string, shape: readonly number[]]

const shapesOf = ({ width, positions, tokens, vocabulary, layers }: Sizes): readonly Shaped[] => {
  const linear = (name: string, rows: number, columns: number): Shaped[] => [
    [`${name}/weight`, [rows, columns]],
    [`${name}/bias`, [rows]],
  ]
  const norm = (name: string): Shaped[] => ['gamma', 'beta'].map((part) => [`${name}/${part}`, [width]])
  const block = (name: string): Shaped[] => [
    ...norm(`${name}/self_attention/layer_norm`),
    ...linear(`${name}/self_attention/linear_0`, 3 * width, width),
    ...linear(`${name}/self_attention/linear_1`, width, width),
    ...norm(`${name}/ffn/layer_norm`),
    ...linear(`${name}/ffn/linear_0`, 4 * width, width),
    ...linear(`${name}/ffn/linear_1`, width, 4 * width),
  ]
  const cross = (name: string): Shaped[] => [
    ...norm(`${name}/attention/layer_norm`),
    ...linear(`${name}/attention/linear_0`, width, width),
    ...linear(`${name}/attention/linear_1`, 2 * width, width),
    ...linear(`${name}/attention/linear_2`, width, width),
  ]
  const indices = Array.from({ length: layers }, (_, index) => index)
  return [
    ['encoder/num_heads', []],
    ['decoder/num_heads', []],
    ['encoder/conv1/weight', [width, 80, 3]],
    ['encoder/conv1/bias', [width]],
    ['encoder/conv2/weight', [width, width, 3]],
    ['encoder/conv2/bias', [width]],
    ['encoder/position_encodings/encodings', [positions, width]],
    ...norm('encoder/layer_norm'),
    ...indices.flatMap((index) => block(`encoder/layer_${index}`)),
    ['decoder/embeddings/weight', [vocabulary, width]],
    ['decoder/position_encodings/encodings', [tokens, width]],
    ...norm('decoder/layer_norm'),
    ...indices.flatMap((index) => [...block(`decoder/layer_${index}`), ...cross(`decoder/layer_${index}`)]),
  ]
}

const written = (name: string, shape: readonly number[], values: Float32Array | Int16Array): Buffer => {
  const data = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  const type = values instanceof Int16Array ? 2 : 0
  const sizes = shape.map((size) => integer(size, 4))
  return Buffer.concat([
    text(name),
    integer(shape.length, 1),
    ...sizes,
    integer(type, 1),
    integer(data.length, 4),
    data,
  ])
}

const integer = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}

const text = (value: string): Buffer => Buffer.concat([integer(value.length + 1, 2), Buffer.from(`${value}\0`)])
