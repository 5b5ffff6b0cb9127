import { failure } from '@sallyport/core'
import type { Call, ChatCapability, ChatChunk, ChatRequest, ModelFeatures } from '@sallyport/core'
import type { UpstreamClient } from './client/client.js'
import type { ServerKind } from './options.js'
import { decodeChat } from './wire/chat-chunks.js'
import { encodeChat } from './wire/chat-request.js'
import { withDefaults } from './wire/generation.js'
import type { WireBody } from './wire/generation.js'

export class UpstreamChat implements ChatCapability {
  /** @param defaults fields for requests that do not set them, the model's id among them */
  constructor(
    private readonly client: UpstreamClient,
    private readonly defaults: WireBody,
    private readonly features: ModelFeatures,
    private readonly kind: ServerKind,
  ) {}

  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    assertFeatures(request, this.features)
    const body = withDefaults(encodeChat(request, this.kind), this.defaults)
    yield* this.client.stream({ path: '/chat/completions', body }, call, (events) => decodeChat(events, request))
  }
}

/** Refuses what the model is known not to support, without asking the server. */
const assertFeatures = ({ messages, tools, toolChoice }: ChatRequest, features: ModelFeatures): void => {
  const mustCall = toolChoice === 'required' || typeof toolChoice === 'object'
  if (features.tools === false && tools?.length && mustCall)
    throw failure('unsupported', { field: 'tools', problem: 'the model does not call functions' })
  const image = messages.findIndex(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  )
  if (features.image === false && image >= 0)
    throw failure('unsupported', { field: `messages[${image}].content`, problem: 'the model does not take images' })
}
