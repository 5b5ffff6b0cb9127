import { tokenPositions } from './alignment.js'
import { attempt, bestAttempt } from './attempt.js'
import type { Decoder } from './decoder.js'
import { LogitFilter, logSumExp } from './logit-filter.js'
import type { Tokenizer } from './tokenizer.js'
import { wordsOf } from './words.js'
import type { Word } from './words.js'

/** What the decoder is given beside the audio. */
export interface DecodingContext {
  /** The request's prompt, which describes the topic or spelling. */
  readonly prompt: string | undefined
  /** Tokens of the text so far; none where the model was unsure of it. */
  readonly previousTokens: readonly number[]
  readonly temperature: number
  readonly signal: AbortSignal
}

interface Pass extends DecodingContext {
  readonly decoder: Decoder
  /** Seconds of audio. */
  readonly seconds: number
  readonly language: string
}

interface PassResult {
  readonly words: readonly Word[]
  /** Those for the next pass. */
  readonly previousTokens: readonly number[]
  /** Seconds; the rest of the audio must be decoded in another pass. */
  readonly until: number
}

/** Text of higher temperatures is unreliable, and the next pass does not have it as context. */
const maxContextTemperature = 0.5

/** Positions of the encoder for a second of audio. */
const positionsPerSecond = 50

/** Transcribes the audio of a decoder. */
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
  async transcribe(pass: Pass): Promise<PassResult> {
    const { tokenizer, filter } = this
    const { decoder, seconds, signal, temperature, language, previousTokens } = pass
    const promptTokens = this.promptTokens(pass)
    const tokens = [...promptTokens, ...this.startTokens(language)]
    const { cache, logits } = await decoder.next(decoder.emptyCache, tokens, [promptTokens.length, tokens.length - 1])
    const [first = new Float32Array(), last = new Float32Array()] = logits
    const noSpeech = Math.exp((first[tokenizer.special('noSpeech')] ?? -Infinity) - logSumExp(first))
    const limit = Math.min(Math.floor(this.contextLength / 2), this.contextLength - tokens.length)
    const start = { decoder, tokenizer, filter, limit, cache, logits: last, signal }
    const best = await bestAttempt(temperature, noSpeech, (each) => attempt(start, each))
    if (!best) return { words: [], previousTokens, until: seconds }
    const complete = completePart(best.tokens, seconds, tokenizer)
    const textSoFar = best.temperature > maxContextTemperature ? [] : [...previousTokens, ...complete.tokens]
    return {
      words: await this.words(complete.tokens, pass),
      previousTokens: textSoFar.slice(-this.contextLength),
      until: complete.until,
    }
  }

  private startTokens(language: string): number[] {
    const { tokenizer } = this
    const code = tokenizer.language(language)
    if (!tokenizer.multilingual || code === undefined) return [tokenizer.start]
    return [tokenizer.start, code, tokenizer.special('transcribe')]
  }

  /** The request's prompt and the end of the previous text, within half of the decoder's context. */
  private promptTokens({ prompt, previousTokens }: Pass): number[] {
    const room = Math.floor(this.contextLength / 2) - 1
    const requested = prompt?.trim() ? this.tokenizer.encode(` ${prompt.trim()}`).slice(-room) : []
    const rest = room - requested.length
    const tokens = [...requested, ...(rest > 0 ? previousTokens.slice(-rest) : [])]
    return tokens.length ? [this.tokenizer.special('startOfPrevious'), ...tokens] : []
  }

  private async words(tokens: readonly number[], { decoder, language, seconds }: Pass): Promise<Word[]> {
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

/** The seconds that must be left for another pass to be worthwhile, and that each pass must advance, at least. */
const minSeconds = { rest: 1, progress: 3 }

/**
 * The tokens of text that are complete, and the second until which they are spoken. The model writes pairs of
 * timestamps around phrases. In a long window it may stop early, or within a sentence, so text after the last timestamp
 * is left for another pass.
 */
export const completePart = (tokens: readonly number[], seconds: number, tokenizer: Tokenizer) => {
  const last = tokens.findLastIndex((token) => tokenizer.isTimestamp(token))
  const lastSeconds = last < 0 ? 0 : tokenizer.seconds(tokens[last] ?? 0)
  const partial = lastSeconds >= minSeconds.progress && lastSeconds <= seconds - minSeconds.rest
  const complete = partial ? tokens.slice(0, last) : tokens
  return { tokens: complete.filter((token) => tokenizer.isText(token)), until: partial ? lastSeconds : seconds }
}
