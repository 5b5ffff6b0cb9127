/**
 * A Whisper model in CTranslate2's format that says a text of one's choice whatever it hears: a token alone tells the
 * next one, by the last layer's matrices.
 */

import { ctranslate2File } from './ctranslate2.js'
import { numbers } from './random.js'

const sizes = { width: 64, positions: 1500, tokens: 448, vocabulary: 51_864, layers: 2, heads: 2 }
const special = { endOfText: 50_256, startOfTranscript: 50_257, firstTime: 50_363 } as const

/** The vocabulary.txt; the words of the text are its first tokens. */
export const parrotVocabulary = (words: readonly string[]): string => {
  const tokens = ['Ġ', ...words.map((word) => `Ġ${word}`)]
  while (tokens.length < special.endOfText) tokens.push(`x${tokens.length}`)
  return [...tokens, '<|endoftext|>'].join('\n')
}

/** The model.bin. The words must differ. @param seconds how long the speech lasts, as the model says */
export const parrotModel = (words: readonly string[], seconds: number): Buffer => {
  const { width, vocabulary, layers } = sizes
  const embeddings = unitRows(vocabulary, width)
  const row = (token: number) => embeddings.subarray(token * width, (token + 1) * width)
  const said = [special.startOfTranscript, special.firstTime, ...words.map((_, index) => index + 1)]
  const all = [...said, special.firstTime + Math.round(seconds * 50), special.endOfText]
  const next = new Float32Array(width * 4 * width)
  for (const [index, token] of all.slice(0, -1).entries())
    for (let to = 0; to < width; to += 1)
      for (let from = 0; from < width; from += 1)
        next[to * 4 * width + from] = next[to * 4 * width + from]! + row(all[index + 1]!)[to]! * row(token)[from]!
  const ffn = `decoder/layer_${layers - 1}/ffn`
  // far from 0 GELU changes nothing, and what was added is taken away again
  const far = 6
  const shift = new Float32Array(width).map(
    (_, to) =>
      -far *
      next
        .subarray(to * 4 * width)
        .slice(0, width)
        .reduce(add),
  )
  const filled: Readonly<Record<string, Float32Array>> = {
    'decoder/embeddings/weight': embeddings,
    'decoder/layer_norm/gamma': new Float32Array(width).fill(20),
    [`${ffn}/linear_0/weight`]: identity(4 * width, width),
    [`${ffn}/linear_0/bias`]: new Float32Array(4 * width).fill(far),
    [`${ffn}/linear_1/weight`]: next,
    [`${ffn}/linear_1/bias`]: shift,
  }
  return ctranslate2File(sizes, (name, length) => {
    if (name.endsWith('gamma')) return filled[name] ?? new Float32Array(length).fill(1)
    return filled[name]
  })
}

const add = (sum: number, value: number) => sum + value

const identity = (rows: number, columns: number): Float32Array =>
  new Float32Array(rows * columns).map((_, at) => (Math.floor(at / columns) === at % columns ? 1 : 0))

/** Rows of about unit length in directions that have little to do with each other, always the same. */
const unitRows = (rows: number, width: number): Float32Array => {
  const next = numbers(1)
  const scale = Math.sqrt(3 / width)
  return Float32Array.from({ length: rows * width }, () => scale * next())
}
