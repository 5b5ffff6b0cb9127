import type { ChatChunk, TokenLogprob } from '@sallyport/core'
import type { AnswerRules } from './answer-grammar.js'
import { callsOrText } from './call-states.js'
import { plainText, withThoughts } from './text-states.js'
import type { Output, State } from './state.js'

/**
 * Tells thoughts, text and calls of an answer apart while it comes; how it is cut into chunks makes no difference. What
 * may turn out to be the beginning of a mark is held back. Log-probabilities are those of the text.
 */
export class AnswerParser {
  private state: State
  private unread = ''
  private called = false
  private readonly trail = new TokenTrail()

  /** @param rules what the answer keeps to; without `calls`, what looks like one is text */
  constructor({ calls, format, thoughts }: AnswerRules) {
    const answer = calls ? callsOrText(calls, format) : plainText
    this.state = thoughts ? withThoughts(thoughts, answer) : answer
  }

  /** Whether there are calls, and the last one is whole. */
  get hasWholeCalls(): boolean {
    return this.called && !this.state.isInCall
  }

  /** The model need not go on. */
  get isOver(): boolean {
    return this.state.isOver ?? false
  }

  *push(text: string, logprobs: readonly TokenLogprob[] = []): Iterable<ChatChunk> {
    this.unread += text
    this.trail.add(logprobs)
    while (this.unread !== '') {
      const step = this.state.take(this.unread)
      if (!step) return
      const { text: written = '', rest, next } = step
      const taken = this.unread.slice(written.length, this.unread.length - rest.length)
      this.unread = rest
      this.state = next
      yield* this.output(step)
      this.trail.pass(taken)
    }
  }

  /** The answer is over. */
  *end(): Iterable<ChatChunk> {
    const { unread } = this
    this.unread = ''
    if (unread !== '') yield* this.output(this.state.left(unread))
  }

  private *output({ text: written = '', chunk }: Output): Iterable<ChatChunk> {
    const logprobs = this.trail.pass(written)
    if (written !== '') yield { delta: written, ...(logprobs.length > 0 ? { logprobs } : {}) }
    if (!chunk) return
    this.called ||= 'toolCall' in chunk
    yield chunk
  }
}

/** Log-probabilities of the tokens of a text, handed out stretch by stretch. */
class TokenTrail {
  private readonly waiting: TokenLogprob[] = []
  /** Bytes that the next token lies ahead; below 0 where it began before. */
  private ahead = 0

  add(logprobs: readonly TokenLogprob[]): void {
    for (const each of logprobs) this.waiting.push(each)
  }

  /** Hands out the log-probabilities of the tokens that begin in the next stretch of the text. */
  pass(stretch: string): TokenLogprob[] {
    this.ahead -= Buffer.byteLength(stretch)
    let count = 0
    for (; this.ahead < 0 && count < this.waiting.length; count += 1) this.ahead += lengthOf(this.waiting[count])
    return this.waiting.splice(0, count)
  }
}

const lengthOf = (token: TokenLogprob | undefined): number => token?.bytes?.length ?? 0
