/** The files of a tiny Marian model with random weights, as a repository has them. */

import { tinyMarian } from './tiny-marian.js'

const words = ['▁red', '▁cat', '▁old', '▁house', '▁the', '▁a', '▁sees', '▁milk', '▁rot', '▁Katze', '▁Haus', '▁sieht']
const letters = Array.from('abcdefghijklmnopqrstuvwxyz.▁', (letter): [string, number] => [letter, -9])
export const pieces: [string, number][] = [
  ['</s>', 0],
  ['<unk>', 0],
  ...words.map((word): [string, number] => [word, -3]),
  ...letters,
  ['>>deu<<', 0],
  ['>>fra<<', 0],
  ['<pad>', 0],
]
export const idOf = new Map(pieces.map(([piece], id) => [piece, id]))
export const [endId, padId] = [0, pieces.length - 1]

export const config = {
  architectures: ['MarianMTModel'],
  is_encoder_decoder: true,
  ...{ pad_token_id: padId, decoder_start_token_id: padId, eos_token_id: endId, bad_words_ids: [[padId]] },
  ...{ d_model: 8, decoder_attention_heads: 2, max_position_embeddings: 32 },
}

/** @param seed of the weights */
export const marianRepository = (seed: number) => {
  const model = tinyMarian(pieces.length, seed)
  const tokenizer = { model: { type: 'Unigram', unk_id: 1, vocab: pieces } }
  const files: Readonly<Record<string, Buffer>> = {
    'onnx/encoder_model.onnx': Buffer.from(model.encoder),
    'onnx/decoder_model_merged.onnx': Buffer.from(model.decoder),
    'config.json': Buffer.from(JSON.stringify(config)),
    'tokenizer.json': Buffer.from(JSON.stringify(tokenizer)),
  }
  return { model, files }
}
