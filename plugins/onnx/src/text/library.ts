import * as untyped from '@huggingface/tokenizers'

/** What is used of `@huggingface/tokenizers`, whose own types cannot be resolved from an ECMAScript module. */

export interface Normalizer {
  normalize(text: string): string
}

export interface PreTokenizer {
  /** @param options `section_index`: how many added tokens and stretches stand before the text */
  pre_tokenize(text: string, options?: { section_index: number }): string[]
}

export interface Model {
  readonly config: { readonly continuing_subword_prefix?: string; readonly byte_fallback?: boolean }
  /** By id. */
  readonly vocab: string[]
  readonly tokens_to_ids: ReadonlyMap<string, number>
  readonly unk_token_id?: number
  readonly end_of_word_suffix?: string | null
  readonly fuse_unk: boolean
  encode(words: string[]): string[]
}

export interface PostProcessor {
  post_process(
    first: string[],
    second: string[] | null,
    addSpecialTokens: boolean,
  ): { tokens: string[]; token_type_ids?: number[] }
}

export interface Decoder {
  decode_chain(tokens: string[]): string[]
}

/** The steps of a tokenizer.json. */
export interface TokenizerSteps {
  readonly normalizer: Normalizer | null
  readonly pre_tokenizer: PreTokenizer | null
  readonly model: Model
  readonly post_processor: PostProcessor | null
  readonly decoder: Decoder | null
}

export interface BertNormalizer extends Normalizer {
  readonly config: { readonly lowercase?: boolean; readonly handle_chinese_chars?: boolean }
}

export interface ReplaceNormalizer extends Normalizer {
  readonly pattern: RegExp | null
  readonly config: { readonly content: string }
}

export interface StripNormalizer extends Normalizer {
  readonly config: { readonly strip_left?: boolean; readonly strip_right?: boolean }
}

export interface ByteLevelPreTokenizer extends PreTokenizer {
  pattern: RegExp
  readonly add_prefix_space: boolean
}

export interface MetaspacePreTokenizer extends PreTokenizer {
  readonly str_rep: string
}

type Class<Instance> = abstract new (...parameters: never[]) => Instance

interface Library {
  Tokenizer: new (definition: object, config: object) => TokenizerSteps
  BertNormalizer: Class<BertNormalizer>
  LowercaseNormalizer: Class<Normalizer & { normalize(text: string): Lowercase<string> }>
  PrependNormalizer: Class<Normalizer & { config: { prepend: string } }>
  ReplaceNormalizer: Class<ReplaceNormalizer>
  SequenceNormalizer: Class<Normalizer & { normalizers: (Normalizer | null)[] }>
  StripNormalizer: Class<StripNormalizer>
  ByteLevelPreTokenizer: Class<ByteLevelPreTokenizer>
  MetaspacePreTokenizer: Class<MetaspacePreTokenizer>
  ReplacePreTokenizer: Class<PreTokenizer & { content: string }>
  SequencePreTokenizer: Class<PreTokenizer & { tokenizers: (PreTokenizer | null)[] }>
  BPE: Class<Model & { merges: unknown[] }>
  Unigram: Class<Model & { scores: number[] }>
  WordPiece: Class<Model & { max_input_chars_per_word: number }>
  RobertaProcessingPostProcessor: Class<PostProcessor & { sep: [string, number] }>
  ByteFallbackDecoder: Class<Decoder & { text_decoder: object }>
  ByteLevelDecoder: Class<Decoder & { byte_decoder: Record<string, number> }>
  MetaspaceDecoder: Class<Decoder & { replacement: string }>
  SequenceDecoder: Class<Decoder & { decoders: Decoder[] }>
}

export const library = untyped as unknown as Library
