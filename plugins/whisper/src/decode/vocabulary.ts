import { FormatError } from '@sallyport/weights'
import { whisperLanguages } from '../model/languages.js'
import { BytePairs } from './byte-pairs.js'

/** Special tokens between the languages' ones and the times. */
const tasks = ['translate', 'transcribe', 'startOfModel', 'startOfPrevious', 'noSpeech', 'noTimestamps'] as const
/** From 0 to 30 seconds in steps of 20 ms. */
const times = 1501
/** From here on a vocabulary is that of a model of several languages. */
const multilingualSize = 51_865
/** Characters at the end of a prompt beyond which none is seen by the model. */
const longestPrompt = 2000

export type Task = (typeof tasks)[number]

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

  /** Of the end of a text, for no more is seen by the model. */
  encode(text: string): number[] {
    return this.pairs.encode(text.slice(-longestPrompt))
  }

  /** Of a token of text. */
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
