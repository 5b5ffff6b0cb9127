import type { ChatChunk, ChatRequest, FinishReason } from '@sallyport/core'
import { decodeGeneration } from './generation.js'
import type { ChoiceDecoder, JsonEvents } from './generation.js'
import { TextLogprobs } from './logprobs.js'
import { fieldsOf, textOf } from './read.js'
import type { Fields } from './read.js'
import { SurrogateJoiner } from './surrogate-joiner.js'
import { ToolCalls } from './tool-calls.js'

/** @throws BadReply */
export const decodeChat = (events: JsonEvents, { stop, topLogprobs }: ChatRequest): AsyncIterable<ChatChunk> =>
  decodeGeneration(events, new ChatDecoder(topLogprobs), stop)

class ChatDecoder implements ChoiceDecoder<ChatChunk> {
  readonly #tools = new ToolCalls()
  readonly #content = new SurrogateJoiner()
  readonly #reasoning = new SurrogateJoiner()
  readonly #logprobs: TextLogprobs

  constructor(topLogprobs: number | undefined) {
    this.#logprobs = new TextLogprobs(topLogprobs)
  }

  *chunks(choice: Fields): Iterable<ChatChunk> {
    const delta = fieldsOf(choice.delta, 'a delta')
    const reasoning = this.#reasoning.next(textOf(delta.reasoning_content ?? delta.reasoning, 'reasoning'))
    if (reasoning) yield { reasoning }
    const content = this.#content.next(textOf(delta.content, 'content') || textOf(delta.refusal, 'a refusal'))
    if (!reasoning && !delta.tool_calls) this.#logprobs.add(choice.logprobs)
    if (content) yield { delta: content, ...this.#logprobs.of(content) }
    yield* this.#tools.chunks(delta)
  }

  *flush(): Iterable<ChatChunk> {
    this.#tools.assertNamed()
    const reasoning = this.#reasoning.flush()
    if (reasoning) yield { reasoning }
    yield* this.#logprobs.flush(this.#content.flush())
    yield* this.#tools.flush()
  }

  /** Some servers report `stop` after calls. */
  finishReason(reported: FinishReason): FinishReason {
    return reported === 'stop' && this.#tools.hasCalls ? 'tool_calls' : reported
  }
}
