import { FormatError } from '@sallyport/weights'
import { whisperLanguages } from './languages.js'

/** Special tokens between the languages' ones and the times. */
const tasks = ['translate', 'transcribe', 'startOfModel', 'startOfPrevious', 'noSpeech', 'noTimestamps'] as const
/** Tokens of times: 0 to 30 seconds in steps of 20 ms. */
const times = 1501
/** Size from which a vocabulary is that of a multilingual model. */
const multilingualSize = 51_865
/** Characters at the end of a prompt beyond which none is seen by the model. */
const longestPrompt = 2000

type Task = (typeof tasks)[number]

/** Tokens of a model: bytes, then the end, the start, languages, tasks, and times. */
export class Vocabulary {
  /** Ends what is said; lower ones are text. */
  readonly end: number
  readonly start: number
  /** The first one of the times: 0 seconds. */
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
    this.timestamps = size - times
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

  /** Undefined for a language that the model does not have. */
  language(code: string): number | undefined {
    const index = this.languages.indexOf(code)
    return index < 0 ? undefined : this.start + 1 + index
  }

  /** The language whose token has the highest number. */
  likeliestLanguage(logits: Float32Array): string {
    const scores = logits.subarray(this.start + 1, this.start + 1 + this.languages.length)
    return this.languages[scores.indexOf(scores.reduce((most, score) => Math.max(most, score), -Infinity))] ?? 'en'
  }

  /** Tokens of the end of a text: the model sees no more. */
  encode(text: string): number[] {
    return this.pairs.encode(text.slice(-longestPrompt))
  }

  /** The bytes of a token of text. */
  bytes(token: number): Buffer {
    return this.tokens[token] ?? Buffer.alloc(0)
  }

  isText(token: number): boolean {
    return token < this.end
  }

  isTime(token: number): boolean {
    return token >= this.timestamps
  }

  /** Seconds that a token of time stands for. */
  seconds(token: number): number {
    return (token - this.timestamps) * 0.02
  }
}

/** GPT-2 cuts texts so before merging; what is too long for a word is cut besides. */
const pieces = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}{1,64}| ?\p{N}{1,64}| ?[^\s\p{L}\p{N}]{1,64}|\s{1,64}(?!\S)|\s{1,64}/gu

/** Byte pair encoding over tokens whose numbers are the order of merging, as those of Whisper are. */
class BytePairs {
  private readonly numbers: ReadonlyMap<string, number>

  constructor(tokens: readonly Buffer[]) {
    this.numbers = new Map(tokens.map((token, number) => [token.toString('latin1'), number]))
  }

  /** What there is no token for is left out. */
  encode(text: string): number[] {
    return [...text.matchAll(pieces)].flatMap(([piece]) => this.merged(Buffer.from(piece).toString('latin1')))
  }

  private merged(piece: string): number[] {
    const parts = Array.from(piece)
    for (let at = this.firstMerge(parts); at >= 0; at = this.firstMerge(parts))
      parts.splice(at, 2, `${parts[at] ?? ''}${parts[at + 1] ?? ''}`)
    return parts.map((part) => this.numbers.get(part)).filter((number) => number !== undefined)
  }

  /** The place of the two parts that are merged next; -1 where there are none. */
  private firstMerge(parts: readonly string[]): number {
    let [best, lowest] = [-1, Infinity]
    for (let at = 0; at + 1 < parts.length; at += 1) {
      const number = this.numbers.get(`${parts[at] ?? ''}${parts[at + 1] ?? ''}`) ?? Infinity
      if (number < lowest) [best, lowest] = [at, number]
    }
    return best
  }
}
