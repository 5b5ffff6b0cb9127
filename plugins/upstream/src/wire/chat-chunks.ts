import type { ChatChunk, ChatRequest, FinishReason, TokenLogprob } from '@sallyport/core'
import { decodeGeneration } from './generation.js'
import type { ChoiceDecoder, JsonEvents } from './generation.js'
import { logprobsOf } from './logprobs.js'
import { fieldsOf, textOf } from './read.js'
import type { Fields } from './read.js'
import { ToolCalls } from './tool-calls.js'

/** @throws BadReply */
export const decodeChat = (events: JsonEvents, { stop, topLogprobs }: ChatRequest): AsyncIterable<ChatChunk> =>
  decodeGeneration(events, new ChatDecoder(topLogprobs), stop)

class ChatDecoder implements ChoiceDecoder<ChatChunk> {
  readonly #tools = new ToolCalls()
  /** Of tokens whose text comes later: a character may need several. */
  #logprobs: TokenLogprob[] = []

  constructor(private readonly topLogprobs: number | undefined) {}

  *pieces(choice: Fields): Iterable<ChatChunk> {
    const delta = fieldsOf(choice.delta, 'a delta')
    const reasoning = textOf(delta.reasoning_content ?? delta.reasoning, 'reasoning')
    if (reasoning) yield { reasoning }
    const content = textOf(delta.content, 'content') || textOf(delta.refusal, 'a refusal')
    const aboutText = !reasoning && !delta.tool_calls
    if (aboutText && this.topLogprobs !== undefined)
      this.#logprobs.push(...(logprobsOf(choice.logprobs, this.topLogprobs) ?? []))
    if (content) yield this.#text(content)
    yield* this.#tools.pieces(delta)
  }

  *rest(): Iterable<ChatChunk> {
    this.#tools.assertNamed()
    if (this.#logprobs.length) yield this.#text('')
  }

  /** Some servers end calls with `stop`. */
  reason(given: FinishReason): FinishReason {
    return given === 'stop' && this.#tools.any ? 'tool_calls' : given
  }

  #text(delta: string): ChatChunk {
    const logprobs = this.#logprobs
    this.#logprobs = []
    return logprobs.length ? { delta, logprobs } : { delta }
  }
}
