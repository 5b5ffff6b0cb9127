import { tokenPositions } from './alignment.js'
import { attempt, bestAttempt } from './attempt.js'
import type { Decoder } from './decoder.js'
import { DecodingRules, logSumExp } from './decoding-rules.js'
import type { Vocabulary } from './vocabulary.js'
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
  readonly tokens: readonly number[]
  /** Seconds; the rest of the audio must be decoded in another pass. */
  readonly until: number
}

/** Text of higher temperatures is unreliable and becomes no context of the next window. */
const maxContextTemperature = 0.5

/** Positions of the encoder for a second of audio. */
const positionsPerSecond = 50

/** Turns the audio of a decoder into words. */
export class Transcriber {
  private readonly rules: DecodingRules

  /** @param context how many tokens the decoder can see */
  constructor(
    readonly vocabulary: Vocabulary,
    private readonly context: number,
  ) {
    this.rules = new DecodingRules(vocabulary)
  }

  /** Detects the most probable language. */
  async language(decoder: Decoder): Promise<string> {
    const { logits } = await decoder.next(decoder.emptyCache, [this.vocabulary.start], [0])
    return this.vocabulary.likeliestLanguage(logits[0] ?? new Float32Array())
  }

  /** @throws the signal's reason */
  async transcribe(input: WindowInput): Promise<WindowText> {
    const { vocabulary, rules } = this
    const { decoder, seconds, signal, temperature, language, previousTokens } = input
    const promptTokens = this.promptTokens(input)
    const start = this.startTokens(language)
    const tokens = [...promptTokens, ...start]
    const { state, logits } = await decoder.next(decoder.emptyCache, tokens, [promptTokens.length, tokens.length - 1])
    const [first = new Float32Array(), last = new Float32Array()] = logits
    const noSpeech = Math.exp((first[vocabulary.task('noSpeech')] ?? -Infinity) - logSumExp(first))
    const limit = Math.min(Math.floor(this.context / 2), this.context - tokens.length)
    const parts = { decoder, vocabulary, rules, limit, signal }
    const best = await bestAttempt(temperature, noSpeech, (at) => attempt(parts, { state, logits: last }, at))
    if (!best) return { words: [], tokens: previousTokens, until: seconds }
    const complete = completePart(best.tokens, seconds, vocabulary)
    const words = await this.words(complete.tokens, input)
    const context =
      best.temperature > maxContextTemperature ? [] : [...previousTokens, ...complete.tokens].slice(-this.context)
    return { words, tokens: context, until: complete.until }
  }

  private startTokens(language: string): number[] {
    const { vocabulary } = this
    const code = vocabulary.language(language)
    if (!vocabulary.multilingual || code === undefined) return [vocabulary.start]
    return [vocabulary.start, code, vocabulary.task('transcribe')]
  }

  /** The request's prompt and the end of the previous text, within half of the decoder's context. */
  private promptTokens({ prompt, previousTokens }: WindowInput): number[] {
    const room = Math.floor(this.context / 2) - 1
    const requested = prompt?.trim() ? this.vocabulary.encode(` ${prompt.trim()}`).slice(-room) : []
    const rest = room - requested.length
    const tokens = [...requested, ...(rest > 0 ? previousTokens.slice(-rest) : [])]
    return tokens.length ? [this.vocabulary.task('startOfPrevious'), ...tokens] : []
  }

  private async words(tokens: readonly number[], { decoder, language, seconds }: WindowInput): Promise<Word[]> {
    if (tokens.length === 0) return []
    const { vocabulary } = this
    const start = this.startTokens(language)
    const all = [...start, vocabulary.task('noTimestamps'), ...tokens]
    const attention = await decoder.attention(all)
    const positions = Math.min(attention.positions, Math.ceil(seconds * positionsPerSecond))
    // a row of the attention tells where the next token is spoken
    const begins = tokenPositions(attention, start.length, positions).map((position) => position / positionsPerSecond)
    const spoken = tokens.map((token, index) => ({
      bytes: vocabulary.bytes(token),
      start: begins[index] ?? 0,
      end: begins[index + 1] ?? seconds,
    }))
    return wordsOf(spoken, language)
  }
}

/** Seconds that must be left for another pass to be worth while, and that each pass must advance. */
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
export const completePart = (tokens: readonly number[], seconds: number, vocabulary: Vocabulary): CompletePart => {
  const last = tokens.findLastIndex((token) => vocabulary.isTimestamp(token))
  const until = last < 0 ? 0 : vocabulary.seconds(tokens[last] ?? 0)
  const isText = (token: number) => vocabulary.isText(token)
  if (until < minSeconds.progress || until > seconds - minSeconds.rest)
    return { tokens: tokens.filter(isText), until: seconds }
  return { tokens: tokens.slice(0, last).filter(isText), until }
}
