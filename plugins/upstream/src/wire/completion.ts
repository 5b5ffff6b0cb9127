import type { CompletionChunk, CompletionRequest, FinishReason } from '@sallyport/core'
import { decodeGeneration, encodeGeneration } from './generation.js'
import type { ChoiceDecoder, JsonEvents, WireBody } from './generation.js'
import { TextLogprobs } from './logprobs.js'
import { textOf } from './read.js'
import type { Fields } from './read.js'
import { TextParts } from './text-parts.js'

/** At least one alternative is asked for: some servers take 0 for "no log-probabilities at all". */
export const encodeCompletion = (request: CompletionRequest): WireBody => ({
  ...encodeGeneration(request),
  prompt: request.prompt,
  suffix: request.suffix,
  logprobs: request.topLogprobs === undefined ? undefined : Math.max(request.topLogprobs, 1),
})

/** @throws BadReply */
export const decodeCompletion = (
  events: JsonEvents,
  { stop, topLogprobs }: CompletionRequest,
): AsyncIterable<CompletionChunk> => decodeGeneration(events, new CompletionDecoder(topLogprobs), stop)

class CompletionDecoder implements ChoiceDecoder<CompletionChunk> {
  readonly #text = new TextParts()
  readonly #logprobs: TextLogprobs

  constructor(topLogprobs: number | undefined) {
    this.#logprobs = new TextLogprobs(topLogprobs)
  }

  *pieces(choice: Fields): Iterable<CompletionChunk> {
    const delta = this.#text.next(textOf(choice.text, 'text'))
    this.#logprobs.add(choice.logprobs)
    if (delta) yield { delta, ...this.#logprobs.of(delta) }
  }

  rest(): Iterable<CompletionChunk> {
    return this.#logprobs.rest(this.#text.rest())
  }

  reason(given: FinishReason): FinishReason {
    return given
  }
}
