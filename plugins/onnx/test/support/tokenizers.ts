/** Small tokenizer.json files, one for each kind of vocabulary, and one for each way of writing spaces. */

import { byteOfCharacter } from '@sallyport/kit/generation'
import { testCall } from '@sallyport/testing'
import { readDefinition } from '../../src/text/tokenizer-definition.js'
import type { Encoding } from '../../src/text/token-template.js'
import type { TextToken } from '../../src/text/windowed-tokenizer.js'
import { TextTokenizer } from '../../src/text/tokenizer.js'
import type { EncodeOptions } from '../../src/text/tokenizer.js'

export const added = (id: number, content: string, more: object = {}) => ({
  id,
  content,
  special: true,
  normalized: false,
  lstrip: false,
  rstrip: false,
  single_word: false,
  ...more,
})

const vocabularyOf = (pieces: readonly string[]) => Object.fromEntries(pieces.map((piece, id) => [piece, id]))

const around = (first: string, last: string, pieces: readonly string[]) => {
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } })
  const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } })
  return {
    type: 'TemplateProcessing',
    single: [special(first), sequence('A', 0), special(last)],
    pair: [
      special(first),
      sequence('A', 0),
      special(last),
      sequence('B', 1),
      { SpecialToken: { id: last, type_id: 1 } },
    ],
    special_tokens: Object.fromEntries(
      [first, last].map((id) => [id, { id, ids: [pieces.indexOf(id)], tokens: [id] }]),
    ),
  }
}

const wordPieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'the', 'quick', 'fox', 'un', '##want', '##ed', 'cafe', 'fi']
const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
wordPieces.push(...letters, ...letters.map((letter) => `##${letter}`), ',', '.', '!', '?', '中', 'σ', '##σ')

/** As BERT's: no case, no accents, unknown words. */
export const wordPiece = {
  truncation: { max_length: 3, strategy: 'LongestFirst', stride: 0 },
  padding: { strategy: { Fixed: 16 }, pad_id: 0, pad_type_id: 0, pad_token: '[PAD]' },
  added_tokens: wordPieces.slice(0, 4).map((content, id) => added(id, content)),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: around('[CLS]', '[SEP]', wordPieces),
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    vocab: vocabularyOf(wordPieces),
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
  },
}

/** As that of GLiNER models: with the tokens of their prompts, which are not marked as special. */
export const wordPieceWithPrompt = {
  ...wordPiece,
  added_tokens: [
    ...wordPiece.added_tokens,
    ...['<<ENT>>', '<<SEP>>'].map((content, index) => added(wordPieces.length + index, content, { special: false })),
  ],
}

const merges = ['t h', 'th e', 'Ġ the', 'Ġ f', 'o x', 'Ġf ox', 'Ã ©', 'ð Ł', 'Ġ Ġ']
const bytePieces = [...byteOfCharacter.keys(), ...merges.map((merge) => merge.replace(' ', '')), '<|end|>', '<tool>']

/** As GPT-2's: every byte is a token. */
export const bytePair = {
  added_tokens: [
    added(bytePieces.indexOf('<|end|>'), '<|end|>'),
    added(bytePieces.indexOf('<tool>'), '<tool>', { special: false }),
  ],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: false },
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: { type: 'BPE', vocab: vocabularyOf(bytePieces.slice(0, -2)), merges, unk_token: null },
}

const byteTokens = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
const llamaMerges = ['▁ t', 'h e', '▁t he', 'f o', 'fo x', '▁ fox', '▁ ▁']
const llamaPieces = ['<unk>', '<s>', '</s>', ...byteTokens, '▁', ...letters, '.', '中']
llamaPieces.push(...llamaMerges.map((merge) => merge.replace(' ', '')))

/** As Llama's: a space before the text, spaces as ▁, bytes for what is unknown, and no words. */
export const llama = {
  added_tokens: ['<unk>', '<s>', '</s>'].map((content, id) => added(id, content)),
  normalizer: {
    type: 'Sequence',
    normalizers: [
      { type: 'Prepend', prepend: '▁' },
      { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
    ],
  },
  pre_tokenizer: null,
  post_processor: around('<s>', '</s>', llamaPieces),
  decoder: {
    type: 'Sequence',
    decoders: [
      { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
      { type: 'ByteFallback' },
      { type: 'Fuse' },
      { type: 'Strip', content: ' ', start: 1, stop: 0 },
    ],
  },
  model: {
    type: 'BPE',
    vocab: vocabularyOf(llamaPieces),
    merges: llamaMerges,
    unk_token: '<unk>',
    byte_fallback: true,
    fuse_unk: true,
  },
}

const unigrams: [string, number][] = [
  ['<s>', 0],
  ['<pad>', 0],
  ['</s>', 0],
  ['<unk>', 0],
  ['▁', -3],
  ['▁the', -2],
  ['▁fox', -2],
  ['fi', -4],
  ['中', -5],
  ...letters.map((letter): [string, number] => [letter, -8]),
]

/** As XLM-RoBERTa's: NFKC, words by spaces, one token for a row of unknown characters. */
export const unigram = {
  added_tokens: ['<s>', '<pad>', '</s>', '<unk>'].map((content, id) => added(id, content)),
  normalizer: { type: 'NFKC' },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  post_processor: around(
    '<s>',
    '</s>',
    unigrams.map(([piece]) => piece),
  ),
  decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  model: { type: 'Unigram', vocab: unigrams, unk_id: 3 },
}

/** The same without a space before the text, with bytes for what is unknown. */
export const unigramOfBytes = {
  ...unigram,
  normalizer: null,
  pre_tokenizer: { ...unigram.pre_tokenizer, prepend_scheme: 'never' },
  decoder: {
    type: 'Sequence',
    decoders: [{ type: 'ByteFallback' }, { ...unigram.decoder, prepend_scheme: 'never' }],
  },
  model: {
    ...unigram.model,
    vocab: [...unigrams, ...byteTokens.map((token): [string, number] => [token, -20])],
    byte_fallback: true,
  },
}

export const tokenizerOf = (definition: unknown, limit = 64) =>
  new TextTokenizer(readDefinition('tiny', definition), limit)

export const definitions = { wordPiece, bytePair, llama, unigram, unigramOfBytes } as const
export type Kind = keyof typeof definitions
export const kinds = Object.keys(definitions) as Kind[]

export const encode = (tokenizer: TextTokenizer, text: string, options: EncodeOptions = {}): Promise<Encoding> =>
  tokenizer.encode(text, options, testCall())

export const tokensOf = async (tokenizer: TextTokenizer, text: string): Promise<TextToken[]> => {
  const tokens: TextToken[] = []
  for await (const some of tokenizer.tokens(text, testCall())) for (const token of some) tokens.push(token)
  return tokens
}

export const idsOf = async (tokenizer: TextTokenizer, text: string): Promise<number[]> =>
  (await tokensOf(tokenizer, text)).map(({ id }) => id)
