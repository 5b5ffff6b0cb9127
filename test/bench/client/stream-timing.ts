/** When the parts of a streamed chat answer came. All times are `performance.now()`. */

export interface TokenCounts {
  readonly prompt: number
  readonly cached: number
  readonly completion: number
}

export interface StreamTiming {
  readonly start: number
  /** First piece that has text; NaN when none came. */
  readonly firstText: number
  readonly lastText: number
  readonly end: number
  /** Events that carried text. */
  readonly pieces: number
  readonly tokens: TokenCounts
  /** `length`, `stop`, … */
  readonly finish: string | undefined
}

interface ChatChunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null }
    readonly finish_reason?: string | null
  }[]
  readonly usage?: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly prompt_tokens_details?: { readonly cached_tokens?: number }
  } | null
  readonly error?: unknown
}

/** Takes the events of one answer in the form of the OpenAI API. */
export class StreamClock {
  private firstText = NaN
  private lastText = NaN
  private pieces = 0
  private tokens: TokenCounts | undefined
  private finish: string | undefined

  constructor(private readonly start: number) {}

  /** Returns how many pieces of text have come. @throws when the event is an error */
  take(data: string, now: number): number {
    if (data === '[DONE]') return this.pieces
    const { choices = [], usage, error } = JSON.parse(data) as ChatChunk
    if (error !== undefined) throw new Error(`the stream ended with an error: ${data}`)
    for (const { delta, finish_reason: finish } of choices) {
      if (delta?.content) this.takeText(now)
      if (finish) this.finish = finish
    }
    if (usage)
      this.tokens = {
        prompt: usage.prompt_tokens,
        cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
        completion: usage.completion_tokens,
      }
    return this.pieces
  }

  /** @throws when the answer did not say how many tokens it had */
  done(end: number): StreamTiming {
    const { start, firstText, lastText, pieces, tokens, finish } = this
    if (!tokens) throw new Error('the stream ended without usage')
    return { start, firstText, lastText, end, pieces, tokens, finish }
  }

  private takeText(now: number): void {
    if (this.pieces === 0) this.firstText = now
    this.lastText = now
    this.pieces += 1
  }
}

/**
 * Tokens per second of answers that were generated side by side, prompts left out: what came after each one's first
 * token, over the time from the first to the last token of all of them.
 */
export const decodeRate = (answers: readonly StreamTiming[]): number => {
  const began = Math.min(...answers.map(({ firstText }) => firstText))
  const ended = Math.max(...answers.map(({ lastText }) => lastText))
  const tokens = answers.reduce((sum, answer) => sum + answer.tokens.completion - 1, 0)
  return (tokens / (ended - began)) * 1000
}
