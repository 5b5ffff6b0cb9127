import { tokenPositions } from './alignment.js'
import { attempt, bestAttempt } from './attempt.js'
import type { Decoder } from './decoder.js'
import { LogitFilter, logSumExp } from './logit-filter.js'
import type { Tokenizer } from './tokenizer.js'
import { wordsOf } from './words.js'
import type { Word } from './words.js'

interface WindowInput {
  readonly decoder: Decoder
  /** Length of the audio. */
  readonly seconds: number
  readonly language: string
  /** The request's prompt, which describes the topic or spelling. */
  readonly prompt: string | undefined
  /** Tokens of the previous window's text. */
  readonly previousTokens: readonly number[]
  readonly temperature: number
  readonly signal: AbortSignal
}

interface WindowText {
  readonly words: readonly Word[]
  /** The context of the next window: the text so far, or nothing where the model was unsure of it. */
  readonly contextTokens: readonly number[]
  /** Seconds; the rest of the audio must be decoded in another pass. */
  readonly until: number
}

/** Text of higher temperatures is unreliable and does not become context of the next window. */
const maxContextTemperature = 0.5

/** Positions of the encoder for a second of audio. */
const positionsPerSecond = 50

/** Turns the audio of a decoder into words. */
export class Transcriber {
  private readonly filter: LogitFilter

  /** @param contextLength the number of tokens that the decoder can attend to */
  constructor(
    readonly tokenizer: Tokenizer,
    private readonly contextLength: number,
  ) {
    this.filter = new LogitFilter(tokenizer)
  }

  /** Detects the most probable language. */
  async detectLanguage(decoder: Decoder): Promise<string> {
    const { logits } = await decoder.next(decoder.emptyCache, [this.tokenizer.start], [0])
    return this.tokenizer.likeliestLanguage(logits[0] ?? new Float32Array())
  }

  /** @throws the signal's reason */
  async transcribe(input: WindowInput): Promise<WindowText> {
    const { tokenizer, filter } = this
    const { decoder, seconds, signal, temperature, language, previousTokens } = input
    const promptTokens = this.promptTokens(input)
    const start = this.startTokens(language)
    const tokens = [...promptTokens, ...start]
    const { cache, logits } = await decoder.next(decoder.emptyCache, tokens, [promptTokens.length, tokens.length - 1])
    const [first = new Float32Array(), last = new Float32Array()] = logits
    const noSpeech = Math.exp((first[tokenizer.special('noSpeech')] ?? -Infinity) - logSumExp(first))
    const limit = Math.min(Math.floor(this.contextLength / 2), this.contextLength - tokens.length)
    const attemptContext = { decoder, tokenizer, filter, limit, signal }
    const best = await bestAttempt(temperature, noSpeech, (each) =>
      attempt(attemptContext, { cache, logits: last }, each),
    )
    if (!best) return { words: [], contextTokens: previousTokens, until: seconds }
    const complete = completePart(best.tokens, seconds, tokenizer)
    const words = await this.words(complete.tokens, input)
    const contextTokens =
      best.temperature > maxContextTemperature ? [] : [...previousTokens, ...complete.tokens].slice(-this.contextLength)
    return { words, contextTokens, until: complete.until }
  }

  private startTokens(language: string): number[] {
    const { tokenizer } = this
    const code = tokenizer.language(language)
    if (!tokenizer.multilingual || code === undefined) return [tokenizer.start]
    return [tokenizer.start, code, tokenizer.special('transcribe')]
  }

  /** The request's prompt and the end of the previous text, within half of the decoder's context. */
  private promptTokens({ prompt, previousTokens }: WindowInput): number[] {
    const room = Math.floor(this.contextLength / 2) - 1
    const requested = prompt?.trim() ? this.tokenizer.encode(` ${prompt.trim()}`).slice(-room) : []
    const rest = room - requested.length
    const tokens = [...requested, ...(rest > 0 ? previousTokens.slice(-rest) : [])]
    return tokens.length ? [this.tokenizer.special('startOfPrevious'), ...tokens] : []
  }

  private async words(tokens: readonly number[], { decoder, language, seconds }: WindowInput): Promise<Word[]> {
    if (tokens.length === 0) return []
    const { tokenizer } = this
    const start = this.startTokens(language)
    const all = [...start, tokenizer.special('noTimestamps'), ...tokens]
    const attention = await decoder.attention(all)
    const positions = Math.min(attention.positions, Math.ceil(seconds * positionsPerSecond))
    // a row of the attention shows where the next token is spoken
    const begins = tokenPositions(attention, start.length, positions).map((position) => position / positionsPerSecond)
    const spoken = tokens.map((token, index) => ({
      bytes: tokenizer.bytes(token),
      start: begins[index] ?? 0,
      end: begins[index + 1] ?? seconds,
    }))
    return wordsOf(spoken, language)
  }
}

/** The minimum of seconds that must be left for another pass to be worthwhile, and that each pass must advance. */
const minSeconds = { rest: 1, progress: 3 }

/** The text of a pass that is complete, and where its audio ends. */
interface CompletePart {
  /** Tokens of text, without timestamps. */
  readonly tokens: readonly number[]
  /** Seconds; the rest of the audio must be decoded in another pass. */
  readonly until: number
}

/**
 * The model writes pairs of timestamps around phrases. In a long window it may stop early, or within a sentence, so
 * text after the last timestamp is left for another pass.
 */
export const completePart = (tokens: readonly number[], seconds: number, tokenizer: Tokenizer): CompletePart => {
  const last = tokens.findLastIndex((token) => tokenizer.isTimestamp(token))
  const until = last < 0 ? 0 : tokenizer.seconds(tokens[last] ?? 0)
  const isText = (token: number) => tokenizer.isText(token)
  if (until < minSeconds.progress || until > seconds - minSeconds.rest)
    return { tokens: tokens.filter(isText), until: seconds }
  return { tokens: tokens.slice(0, last).filter(isText), until }
}
