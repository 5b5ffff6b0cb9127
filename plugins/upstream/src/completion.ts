import { failure } from '@sallyport/core'
import type { Call, CompletionCapability, CompletionChunk, CompletionRequest, FinishReason } from '@sallyport/core'
import type { UpstreamClient } from './client/client.js'
import { decodeGeneration, encodeGeneration, requestedAlternatives, withDefaults } from './wire/generation.js'
import type { ChoiceDecoder, WireBody } from './wire/generation.js'
import { TextLogprobs } from './wire/logprobs.js'
import { textOf } from './wire/read.js'
import type { Fields } from './wire/read.js'
import { SurrogateJoiner } from './wire/surrogate-joiner.js'

export class UpstreamCompletion implements CompletionCapability {
  /** @param defaults fields for requests that do not set them, the model's id among them */
  constructor(
    private readonly client: UpstreamClient,
    private readonly defaults: WireBody,
    private readonly infill: boolean,
  ) {}

  async *stream(request: CompletionRequest, call: Call): AsyncGenerator<CompletionChunk> {
    const { suffix, stop, topLogprobs } = request
    if (suffix !== undefined && !this.infill)
      throw failure('unsupported', { field: 'suffix', problem: 'the model does not fill gaps' })
    const body = withDefaults(encodeCompletion(request), this.defaults)
    yield* this.client.stream({ path: '/completions', body }, call, (events) =>
      decodeGeneration(events, new CompletionDecoder(topLogprobs), stop),
    )
  }
}

const encodeCompletion = (request: CompletionRequest): WireBody => ({
  ...encodeGeneration(request),
  prompt: request.prompt,
  suffix: request.suffix,
  logprobs: requestedAlternatives(request),
})

class CompletionDecoder implements ChoiceDecoder<CompletionChunk> {
  readonly #text = new SurrogateJoiner()
  readonly #logprobs: TextLogprobs

  constructor(topLogprobs: number | undefined) {
    this.#logprobs = new TextLogprobs(topLogprobs)
  }

  *chunks(choice: Fields): Iterable<CompletionChunk> {
    const delta = this.#text.next(textOf(choice.text, 'text'))
    this.#logprobs.add(choice.logprobs)
    if (delta) yield { delta, ...this.#logprobs.of(delta) }
  }

  flush(): Iterable<CompletionChunk> {
    return this.#logprobs.flush(this.#text.flush())
  }

  finishReason(reported: FinishReason): FinishReason {
    return reported
  }
}
