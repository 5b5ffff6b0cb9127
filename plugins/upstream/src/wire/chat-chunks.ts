import type { ChatChunk, ChatRequest, FinishReason } from '@sallyport/core'
import { decodeGeneration } from './generation.js'
import type { ChoiceDecoder, JsonEvents } from './generation.js'
import { TextLogprobs } from './logprobs.js'
import { fieldsOf, textOf } from './read.js'
import type { Fields } from './read.js'
import { TextParts } from './text-parts.js'
import { ToolCalls } from './tool-calls.js'

/** @throws BadReply */
export const decodeChat = (events: JsonEvents, { stop, topLogprobs }: ChatRequest): AsyncIterable<ChatChunk> =>
  decodeGeneration(events, new ChatDecoder(topLogprobs), stop)

class ChatDecoder implements ChoiceDecoder<ChatChunk> {
  readonly #tools = new ToolCalls()
  readonly #content = new TextParts()
  readonly #reasoning = new TextParts()
  readonly #logprobs: TextLogprobs

  constructor(topLogprobs: number | undefined) {
    this.#logprobs = new TextLogprobs(topLogprobs)
  }

  *chunks(choice: Fields): Iterable<ChatChunk> {
    const delta = fieldsOf(choice.delta, 'a delta')
    const reasoning = this.#reasoning.next(textOf(delta.reasoning_content ?? delta.reasoning, 'reasoning'))
    if (reasoning) yield { reasoning }
    const content = this.#content.next(textOf(delta.content, 'content') || textOf(delta.refusal, 'a refusal'))
    const aboutText = !reasoning && !delta.tool_calls
    if (aboutText) this.#logprobs.add(choice.logprobs)
    if (content) yield { delta: content, ...this.#logprobs.of(content) }
    yield* this.#tools.chunks(delta)
  }

  *rest(): Iterable<ChatChunk> {
    this.#tools.assertNamed()
    const reasoning = this.#reasoning.rest()
    if (reasoning) yield { reasoning }
    yield* this.#logprobs.rest(this.#content.rest())
    yield* this.#tools.rest()
  }

  /** Some servers end calls with `stop`. */
  reason(given: FinishReason): FinishReason {
    return given === 'stop' && this.#tools.any ? 'tool_calls' : given
  }
}
