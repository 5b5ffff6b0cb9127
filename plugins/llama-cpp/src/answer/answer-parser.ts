import type { ChatChunk, TokenLogprob } from '@sallyport/core'
import type { AnswerRules } from './answer-grammar.js'
import { callsOrText } from './call-states.js'
import { plainText, withReasoning } from './text-states.js'
import type { ParserOutput, ParserState } from './state.js'

/**
 * Splits an answer into reasoning, text and calls while it is generated; how it is cut into chunks makes no difference.
 * Text that may be the beginning of a mark is held back. Log-probabilities are reported for text only.
 */
export class AnswerParser {
  private state: ParserState
  private unread = ''
  private hasCalls = false
  private readonly logprobs = new LogprobQueue()

  /** Without `calls`, what looks like a call is text. */
  constructor({ calls, format, reasoning }: AnswerRules) {
    const answer = calls ? callsOrText(calls, format) : plainText
    this.state = reasoning ? withReasoning(reasoning, answer) : answer
  }

  /** Whether there are calls, and the last one is whole. */
  get hasWholeCalls(): boolean {
    return this.hasCalls && !this.state.isInCall
  }

  /** Whether nothing that the model still writes belongs to the answer. */
  get isOver(): boolean {
    return this.state.isOver ?? false
  }

  *push(text: string, logprobs: readonly TokenLogprob[] = []): Iterable<ChatChunk> {
    this.unread += text
    this.logprobs.add(logprobs)
    while (this.unread !== '') {
      const step = this.state.take(this.unread)
      if (!step) return
      const { text: plain = '', rest, next } = step
      const markup = this.unread.slice(plain.length, this.unread.length - rest.length)
      this.unread = rest
      this.state = next
      yield* this.output(step)
      this.logprobs.take(markup)
    }
  }

  /** Ends the answer, and returns what was held back. */
  *end(): Iterable<ChatChunk> {
    const { unread } = this
    this.unread = ''
    if (unread !== '') yield* this.output(this.state.finish(unread))
  }

  private *output({ text: delta = '', chunk }: ParserOutput): Iterable<ChatChunk> {
    const logprobs = this.logprobs.take(delta)
    if (delta !== '') yield { delta, ...(logprobs.length > 0 ? { logprobs } : {}) }
    if (!chunk) return
    this.hasCalls ||= 'toolCall' in chunk
    yield chunk
  }
}

/** Log-probabilities of the tokens of an answer, taken in step with its text. */
class LogprobQueue {
  private readonly waiting: TokenLogprob[] = []
  /** Bytes between the text that was taken and the next token; below 0 where the token began earlier. */
  private ahead = 0

  add(logprobs: readonly TokenLogprob[]): void {
    for (const each of logprobs) this.waiting.push(each)
  }

  /** Returns the log-probabilities of the tokens that begin in the next part of the text. */
  take(text: string): TokenLogprob[] {
    this.ahead -= Buffer.byteLength(text)
    let count = 0
    for (; this.ahead < 0 && count < this.waiting.length; count += 1)
      this.ahead += this.waiting[count]?.bytes?.length ?? 0
    return this.waiting.splice(0, count)
  }
}
