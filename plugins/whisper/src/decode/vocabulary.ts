import { maxOf } from '@sallyport/kit/lists'
import { FormatError } from '@sallyport/weights'
import { whisperLanguages } from './languages.js'

/** Special tokens between those of languages and the timestamps. */
const tasks = ['translate', 'transcribe', 'startOfModel', 'startOfPrevious', 'noSpeech', 'noTimestamps'] as const
/** Timestamp tokens: 0 to 30 seconds in steps of 20 ms. */
const timestampCount = 1501
/** Vocabularies of multilingual models have at least this size. */
const multilingualSize = 51_865
/** The model's context has no room for more characters than these of a prompt's end. */
const maxPromptCharacters = 2000

type Task = (typeof tasks)[number]

/** The tokens of a model: byte sequences, then the end, the start, languages, tasks, and timestamps. */
export class Vocabulary {
  /** The end token; tokens with lower numbers are text. */
  readonly end: number
  readonly start: number
  /** The first timestamp: 0 seconds. */
  readonly timestamps: number
  readonly multilingual: boolean
  private readonly languages: readonly string[]
  private readonly pairs: BytePairs

  /** @throws FormatError where the parts do not make up the size */
  constructor(
    private readonly tokens: readonly Buffer[],
    readonly size: number,
  ) {
    this.end = tokens.length
    this.start = this.end + 1
    this.timestamps = size - timestampCount
    this.multilingual = size >= multilingualSize
    const languages = this.timestamps - tasks.length - this.start - 1
    if (languages < 1 || languages > whisperLanguages.length)
      throw new FormatError('the vocabulary does not fit the size of the model')
    this.languages = whisperLanguages.slice(0, languages)
    this.pairs = new BytePairs(tokens)
  }

  task(name: Task): number {
    return this.timestamps - tasks.length + tasks.indexOf(name)
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

  /** Encodes the end of a text, as far as the model's context may have room for it. */
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
    return token >= this.timestamps
  }

  /** The seconds of a timestamp token. */
  seconds(token: number): number {
    return (token - this.timestamps) * 0.02
  }
}

/** GPT-2's pre-tokenization, with a bound of 64 characters for each part. */
const pretokenPattern =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}{1,64}| ?\p{N}{1,64}| ?[^\s\p{L}\p{N}]{1,64}|\s{1,64}(?!\S)|\s{1,64}/gu

/** Byte pair encoding for tokens that are numbered in the order of merges, as Whisper's are. */
class BytePairs {
  private readonly numbers: ReadonlyMap<string, number>

  constructor(tokens: readonly Buffer[]) {
    this.numbers = new Map(tokens.map((token, number) => [token.toString('latin1'), number]))
  }

  /** Bytes without a token are left out. */
  encode(text: string): number[] {
    return [...text.matchAll(pretokenPattern)].flatMap(([pretoken]) =>
      this.merged(Buffer.from(pretoken).toString('latin1')),
    )
  }

  private merged(pretoken: string): number[] {
    const parts = Array.from(pretoken)
    for (let at = this.firstMerge(parts); at >= 0; at = this.firstMerge(parts))
      parts.splice(at, 2, `${parts[at] ?? ''}${parts[at + 1] ?? ''}`)
    return parts.map((part) => this.numbers.get(part)).filter((number) => number !== undefined)
  }

  /** The index of the pair to merge next; -1 where there is none. */
  private firstMerge(parts: readonly string[]): number {
    let [best, lowest] = [-1, Infinity]
    for (let at = 0; at + 1 < parts.length; at += 1) {
      const number = this.numbers.get(`${parts[at] ?? ''}${parts[at + 1] ?? ''}`) ?? Infinity
      if (number < lowest) [best, lowest] = [at, number]
    }
    return best
  }
}
