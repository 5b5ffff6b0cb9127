import { failure } from '@sallyport/core'
import type { Call, CompletionCapability, CompletionChunk, CompletionRequest } from '@sallyport/core'
import { under } from './client/address.js'
import type { UpstreamClient } from './client/client.js'
import { decodeCompletion, encodeCompletion } from './wire/completion.js'
import { withDefaults } from './wire/generation.js'
import type { WireBody } from './wire/generation.js'

export class UpstreamCompletion implements CompletionCapability {
  /** @param defaults fields of each request that it does not set itself, the model's id among them */
  constructor(
    private readonly client: UpstreamClient,
    private readonly defaults: WireBody,
    private readonly infill: boolean,
  ) {}

  async *stream(request: CompletionRequest, call: Call): AsyncGenerator<CompletionChunk> {
    if (request.suffix !== undefined && !this.infill)
      throw failure('unsupported', { field: 'suffix', problem: 'the model fills no gaps' })
    const body = withDefaults(encodeCompletion(request), this.defaults)
    const route = (base: URL) => under(base, '/completions')
    yield* this.client.stream({ route, body }, call, (events) => decodeCompletion(events, request))
  }
}
