import { maxOf } from '@sallyport/kit/lists'
import { FormatError } from '@sallyport/weights'
import { whisperLanguages } from './languages.js'

/** Special tokens between those of languages and the timestamps, in this order. */
export const specialTokens = [
  'translate',
  'transcribe',
  'startOfLanguageModel',
  'startOfPrevious',
  'noSpeech',
  'noTimestamps',
] as const
/** Timestamp tokens: 0 to 30 seconds in steps of 20 ms. */
const timestampCount = 1501
/** Vocabularies of multilingual models have at least this size. */
const multilingualSize = 51_865
/** A prompt is cut to its last 2000 characters: more tokens than these make would not fit the model's context. */
const maxPromptCharacters = 2000

type SpecialToken = (typeof specialTokens)[number]

/** The tokens of a model: byte sequences, the end, the start, languages, other special tokens, and timestamps. */
export class Tokenizer {
  /** The end token; tokens with lower ids are text. */
  readonly end: number
  readonly start: number
  /** The timestamp of 0 seconds. */
  readonly firstTimestamp: number
  readonly multilingual: boolean
  /** The languages of the model, by Whisper's codes. */
  readonly languages: readonly string[]
  private readonly pairs: BytePairs

  /** @throws FormatError where the tokens do not fit the size */
  constructor(
    private readonly tokens: readonly Buffer[],
    readonly size: number,
  ) {
    this.end = tokens.length
    this.start = this.end + 1
    this.firstTimestamp = size - timestampCount
    this.multilingual = size >= multilingualSize
    const languageCount = this.firstTimestamp - specialTokens.length - this.start - 1
    if (languageCount < 1 || languageCount > whisperLanguages.length)
      throw new FormatError('the vocabulary does not fit the size of the model')
    this.languages = whisperLanguages.slice(0, languageCount)
    this.pairs = new BytePairs(tokens)
  }

  special(name: SpecialToken): number {
    return this.firstTimestamp - specialTokens.length + specialTokens.indexOf(name)
  }

  /** The token of a language; undefined where the model does not have it. */
  language(code: string): number | undefined {
    const index = this.languages.indexOf(code)
    return index < 0 ? undefined : this.start + 1 + index
  }

  /** The language whose token has the highest logit. */
  likeliestLanguage(logits: Float32Array): string {
    const scores = logits.subarray(this.start + 1, this.start + 1 + this.languages.length)
    return this.languages[scores.indexOf(maxOf(scores))] ?? 'en'
  }

  /** Encodes a text, or the end of a long one. */
  encode(text: string): number[] {
    return this.pairs.encode(text.slice(-maxPromptCharacters))
  }

  /** The bytes of a token of text. */
  bytes(token: number): Buffer {
    return this.tokens[token] ?? Buffer.alloc(0)
  }

  isText(token: number): boolean {
    return token < this.end
  }

  isTimestamp(token: number): boolean {
    return token >= this.firstTimestamp
  }

  /** The seconds of a timestamp token. */
  seconds(token: number): number {
    return (token - this.firstTimestamp) * 0.02
  }
}

/** GPT-2's pre-tokenization, with at most 64 characters in each part. */
const pretokenPattern =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}{1,64}| ?\p{N}{1,64}| ?[^\s\p{L}\p{N}]{1,64}|\s{1,64}(?!\S)|\s{1,64}/gu

/** Byte pair encoding for tokens whose ids are in the order of merges, as Whisper's are. */
class BytePairs {
  private readonly ids: ReadonlyMap<string, number>

  constructor(tokens: readonly Buffer[]) {
    this.ids = new Map(tokens.map((token, id) => [token.toString('latin1'), id]))
  }

  /** Bytes without a token are left out. */
  encode(text: string): number[] {
    const pretokens = text.match(pretokenPattern) ?? []
    return pretokens.flatMap((pretoken) => this.merged(Buffer.from(pretoken).toString('latin1')))
  }

  private merged(pretoken: string): number[] {
    const parts = Array.from(pretoken)
    for (let at = this.firstMerge(parts); at >= 0; at = this.firstMerge(parts))
      parts.splice(at, 2, `${parts[at] ?? ''}${parts[at + 1] ?? ''}`)
    return parts.map((part) => this.ids.get(part)).filter((id) => id !== undefined)
  }

  /** The index of the pair to merge next; -1 where there is none. */
  private firstMerge(parts: readonly string[]): number {
    let [best, lowestId] = [-1, Infinity]
    for (let at = 0; at + 1 < parts.length; at += 1) {
      const id = this.ids.get(`${parts[at] ?? ''}${parts[at + 1] ?? ''}`) ?? Infinity
      if (id < lowestId) [best, lowestId] = [at, id]
    }
    return best
  }
}
