import { tokenPlaces } from './alignment.js'
import { attempt, bestAttempt } from './attempt.js'
import type { Decoder } from './decoder.js'
import { Rules, logSumExp } from './rules.js'
import type { Vocabulary } from './vocabulary.js'
import { wordsOf } from './words.js'
import type { Word } from './words.js'

interface Listening {
  readonly decoder: Decoder
  /** Seconds of sound that the decoder listens to. */
  readonly seconds: number
  readonly language: string
  /** What the request says the text may be about. */
  readonly prompt: string | undefined
  /** Tokens of what was said before. */
  readonly before: readonly number[]
  readonly temperature: number
  readonly signal: AbortSignal
}

interface Heard {
  readonly words: readonly Word[]
  /** The context of the next window: what was said so far, unless the model was not sure of it. */
  readonly tokens: readonly number[]
  /** Seconds; from there on the model has to listen again. */
  readonly until: number
}

/** The temperature from which a text is more guessed than heard: the next window does not continue it. */
const unsteady = 0.5

/** Vectors of the encoder for a second. */
const placesPerSecond = 50

/** Has a decoder write down what it hears. */
export class Transcriber {
  private readonly rules: Rules

  /** @param context how many tokens the decoder can see */
  constructor(
    readonly vocabulary: Vocabulary,
    private readonly context: number,
  ) {
    this.rules = new Rules(vocabulary)
  }

  /** The likeliest language. */
  async language(decoder: Decoder): Promise<string> {
    const { logits } = await decoder.next(decoder.nothing, [this.vocabulary.start], [0])
    return this.vocabulary.likeliestLanguage(logits[0] ?? new Float32Array())
  }

  /** @throws the signal's reason */
  async write(listening: Listening): Promise<Heard> {
    const { vocabulary, rules } = this
    const { decoder, seconds, signal, temperature, language, before } = listening
    const prompt = this.prompt(listening)
    const start = this.start(language)
    const tokens = [...prompt, ...start]
    const { state, logits } = await decoder.next(decoder.nothing, tokens, [prompt.length, tokens.length - 1])
    const [first = new Float32Array(), last = new Float32Array()] = logits
    const noSpeech = Math.exp((first[vocabulary.task('noSpeech')] ?? -Infinity) - logSumExp(first))
    const limit = Math.min(Math.floor(this.context / 2), this.context - tokens.length)
    const parts = { decoder, vocabulary, rules, limit, signal }
    const best = await bestAttempt(temperature, noSpeech, (at) => attempt(parts, { state, logits: last }, at))
    if (!best) return { words: [], tokens: before, until: seconds }
    const spoken = spokenWithin(best.tokens, seconds, vocabulary)
    const words = await this.words(spoken.tokens, listening)
    const remembered = best.temperature > unsteady ? [] : [...before, ...spoken.tokens].slice(-this.context)
    return { words, tokens: remembered, until: spoken.until }
  }

  private start(language: string): number[] {
    const { vocabulary } = this
    const code = vocabulary.language(language)
    if (!vocabulary.multilingual || code === undefined) return [vocabulary.start]
    return [vocabulary.start, code, vocabulary.task('transcribe')]
  }

  /** The end of what was said before, and before that the request's prompt; half of what the decoder sees, at most. */
  private prompt({ prompt, before }: Listening): number[] {
    const room = Math.floor(this.context / 2) - 1
    const wanted = prompt?.trim() ? this.vocabulary.encode(` ${prompt.trim()}`).slice(-room) : []
    const rest = room - wanted.length
    const tokens = [...wanted, ...(rest > 0 ? before.slice(-rest) : [])]
    return tokens.length ? [this.vocabulary.task('startOfPrevious'), ...tokens] : []
  }

  private async words(tokens: readonly number[], { decoder, language, seconds }: Listening): Promise<Word[]> {
    if (tokens.length === 0) return []
    const { vocabulary } = this
    const start = this.start(language)
    const all = [...start, vocabulary.task('noTimestamps'), ...tokens]
    const attention = await decoder.attention(all)
    const places = Math.min(attention.places, Math.ceil(seconds * placesPerSecond))
    // a row tells where the token behind it is said
    const begins = tokenPlaces(attention, start.length, places).map((place) => place / placesPerSecond)
    const spoken = tokens.map((token, index) => ({
      bytes: vocabulary.bytes(token),
      start: begins[index] ?? 0,
      end: begins[index + 1] ?? seconds,
    }))
    return wordsOf(spoken, language)
  }
}

/** Seconds of sound without which it is not worth while to listen once more, and that are passed each time. */
const least = { rest: 1, progress: 3 }

/** What is taken of what the model said, and how much of the sound that was. */
interface SpokenPart {
  /** Tokens of text. */
  readonly tokens: readonly number[]
  /** Seconds; from there on the model has to listen again. */
  readonly until: number
}

/**
 * The model says times in pairs around what it hears. It stops before the end of a long window where a sentence is
 * not complete, or where it has enough, so what comes behind the last time is left for another turn.
 */
export const spokenWithin = (tokens: readonly number[], seconds: number, vocabulary: Vocabulary): SpokenPart => {
  const last = tokens.findLastIndex((token) => vocabulary.isTime(token))
  const until = last < 0 ? 0 : vocabulary.seconds(tokens[last] ?? 0)
  const isText = (token: number) => vocabulary.isText(token)
  if (until < least.progress || until > seconds - least.rest) return { tokens: tokens.filter(isText), until: seconds }
  return { tokens: tokens.slice(0, last).filter(isText), until }
}
