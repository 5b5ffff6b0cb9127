import type { CompletionChunk, CompletionRequest, FinishReason } from '@sallyport/core'
import { decodeGeneration, encodeGeneration } from './generation.js'
import type { ChoiceDecoder, JsonEvents, WireBody } from './generation.js'
import { logprobsOf } from './logprobs.js'
import { textOf } from './read.js'
import type { Fields } from './read.js'

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
  constructor(private readonly topLogprobs: number | undefined) {}

  *pieces(choice: Fields): Iterable<CompletionChunk> {
    const delta = textOf(choice.text, 'text')
    const logprobs = this.topLogprobs === undefined ? undefined : logprobsOf(choice.logprobs, this.topLogprobs)
    if (logprobs) yield { delta, logprobs }
    else if (delta) yield { delta }
  }

  *rest(): Iterable<CompletionChunk> {}

  reason(given: FinishReason): FinishReason {
    return given
  }
}
