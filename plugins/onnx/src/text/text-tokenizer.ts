import type { Steps } from '@sallyport/kit/async'

/** A text, or a pair of texts, as a model reads it: special tokens included, cut to its limit. */
export interface Encoding {
  readonly ids: readonly number[]
  /** 0 for the first text, 1 for the second; absent where the model does not tell them apart. */
  readonly typeIds?: readonly number[]
}

export interface EncodeOptions {
  /** The second text, for models that compare. */
  readonly pair?: string
  /** Which end of a text is cut when it is too long; refused when absent. Of a pair, the longer text is cut. */
  readonly truncate?: 'left' | 'right'
  /** Of a pair, cut the second text rather than the first one: until a quarter of the room is left to it. */
  readonly keepFirst?: boolean
}

/** A model's own tokenizer.json, with the model's limit. */
export interface TextTokenizer {
  /** Most tokens that the model takes, special tokens included. */
  readonly limit: number
  readonly padId: number
  /** @throws context_exceeded, before long work where the text is far too long */
  encode(text: string, options?: EncodeOptions): Encoding
  /** As {@link encode}, in steps of some milliseconds. */
  encodeInSteps(text: string, options?: EncodeOptions): Steps<Encoding>
  /** As {@link encode}, from ids. @throws invalid_request too, with the place of an unknown one (`tokens[5]`) */
  encodeIds(ids: readonly number[], options?: Pick<EncodeOptions, 'truncate'>): Encoding
  /** An id outside the vocabulary becomes U+FFFD. */
  detokenize(ids: readonly number[]): string
}
