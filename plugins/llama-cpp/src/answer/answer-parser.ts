import type { ChatChunk, TokenLogprob } from '@sallyport/core'
import type { AnswerRules } from './answer-grammar.js'
import { callsOrText } from './call-states.js'
import { plainText, withThoughts } from './text-states.js'
import type { Output, State } from './state.js'
import { TokenTrail } from './token-trail.js'

/**
 * Tells thoughts, text and calls of an answer apart while it comes; how it is cut into pieces makes no difference. What
 * may turn out to be the beginning of a mark is held back. Log-probabilities are those of the text.
 */
export class AnswerParser {
  private state: State
  private held = ''
  private called = false
  private readonly trail = new TokenTrail()

  /** @param rules what the answer keeps to; without `calls`, what looks like one is text */
  constructor({ calls, format, thoughts }: AnswerRules) {
    const answer = calls ? callsOrText(calls, format) : plainText
    this.state = thoughts ? withThoughts(thoughts, answer) : answer
  }

  /** There are calls, and the last one is whole. */
  get hasWholeCalls(): boolean {
    return this.called && !this.state.isInCall
  }

  /** The model need not go on. */
  get isOver(): boolean {
    return this.state.isOver ?? false
  }

  *push(text: string, logprobs: readonly TokenLogprob[] = []): Iterable<ChatChunk> {
    this.held += text
    this.trail.add(logprobs)
    while (this.held !== '') {
      const step = this.state.take(this.held)
      if (!step) return
      const { said = '', rest, next } = step
      const taken = this.held.slice(said.length, this.held.length - rest.length)
      this.held = rest
      this.state = next
      yield* this.output(step)
      this.trail.pass(taken)
    }
  }

  /** The answer is over. */
  *end(): Iterable<ChatChunk> {
    const { held } = this
    this.held = ''
    if (held !== '') yield* this.output(this.state.left(held))
  }

  private *output({ said = '', chunk }: Output): Iterable<ChatChunk> {
    const logprobs = this.trail.pass(said)
    if (said !== '') yield { delta: said, ...(logprobs.length > 0 ? { logprobs } : {}) }
    if (!chunk) return
    this.called ||= 'toolCall' in chunk
    yield chunk
  }
}
