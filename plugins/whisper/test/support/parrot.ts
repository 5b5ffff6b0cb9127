/**
 * A Whisper model in CTranslate2's format that says a text of one's choice whatever it hears: its blocks add nothing,
 * and the position of a token alone tells the next one.
 */

const width = 64
const vocabularySize = 51_864
const special = { endOfText: 50_256, start: 50_363 } as const
const maximum = 448

/** The vocabulary.txt; the words of the text are its first tokens. */
export const parrotVocabulary = (words: readonly string[]): string => {
  const tokens = ['Ġ', ...words.map((word) => `Ġ${word}`)]
  while (tokens.length < special.endOfText) tokens.push(`x${tokens.length}`)
  return [...tokens, '<|endoftext|>'].join('\n')
}

/** The model.bin. @param seconds how long the speech lasts, as the model says */
export const parrotModel = (words: readonly string[], seconds: number): Buffer => {
  const embeddings = randomRows(vocabularySize)
  const said = [special.start, ...words.map((_, index) => index + 1), special.start + Math.round(seconds * 50)]
  const positions = new Float32Array(maximum * width)
  for (let position = 0; position < maximum; position += 1) {
    const next = said[position] ?? special.endOfText
    for (let at = 0; at < width; at += 1) positions[position * width + at] = 8 * (embeddings[next * width + at] ?? 0)
  }
  const tensors: readonly Tensor[] = [
    ['encoder/num_heads', [], Int16Array.of(1)],
    ['decoder/num_heads', [], Int16Array.of(1)],
    ['encoder/conv1/weight', [width, 80, 3]],
    ['encoder/conv1/bias', [width]],
    ['encoder/conv2/weight', [width, width, 3]],
    ['encoder/conv2/bias', [width]],
    ['encoder/position_encodings/encodings', [1500, width]],
    ...layerNorm('encoder/layer_norm', 1),
    ...[0, 1, 2, 3].flatMap((index) => block(`encoder/layer_${index}`)),
    ['decoder/embeddings/weight', [vocabularySize, width], embeddings],
    ['decoder/position_encodings/encodings', [maximum, width], positions],
    ...layerNorm('decoder/layer_norm', 20),
    ...[0, 1, 2, 3].flatMap((index) => [...block(`decoder/layer_${index}`), ...cross(`decoder/layer_${index}`)]),
  ]
  return Buffer.concat([
    integer(6, 4),
    text('WhisperSpec'),
    integer(3, 4),
    integer(tensors.length, 4),
    ...tensors.flatMap(written),
    integer(0, 4),
  ])
}

type Tensor = readonly [name: string, shape: readonly number[], values?: Float32Array | Int16Array]

const block = (name: string): Tensor[] => [
  ...layerNorm(`${name}/self_attention/layer_norm`, 1),
  ...linear(`${name}/self_attention/linear_0`, 3 * width, width),
  ...linear(`${name}/self_attention/linear_1`, width, width),
  ...layerNorm(`${name}/ffn/layer_norm`, 1),
  ...linear(`${name}/ffn/linear_0`, 4 * width, width),
  ...linear(`${name}/ffn/linear_1`, width, 4 * width),
]

const cross = (name: string): Tensor[] => [
  ...layerNorm(`${name}/attention/layer_norm`, 1),
  ...linear(`${name}/attention/linear_0`, width, width),
  ...linear(`${name}/attention/linear_1`, 2 * width, width),
  ...linear(`${name}/attention/linear_2`, width, width),
]

const layerNorm = (name: string, gamma: number): Tensor[] => [
  [`${name}/gamma`, [width], new Float32Array(width).fill(gamma)],
  [`${name}/beta`, [width]],
]

const linear = (name: string, rows: number, columns: number): Tensor[] => [
  [`${name}/weight`, [rows, columns]],
  [`${name}/bias`, [rows]],
]

const written = ([name, shape, given]: Tensor): Buffer[] => {
  const values = given ?? new Float32Array(shape.reduce((product, size) => product * size, 1))
  const data = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  const type = values instanceof Int16Array ? 2 : 0
  const sizes = shape.map((size) => integer(size, 4))
  return [text(name), integer(shape.length, 1), ...sizes, integer(type, 1), integer(data.length, 4), data]
}

const integer = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}

const text = (value: string): Buffer => Buffer.concat([integer(value.length + 1, 2), Buffer.from(`${value}\0`)])

/** Rows of about unit length in directions that have little to do with each other, always the same. */
const randomRows = (rows: number): Float32Array => {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  const scale = Math.sqrt(12 / width)
  return Float32Array.from({ length: rows * width }, () => scale * next())
}
