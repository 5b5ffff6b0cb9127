import type { Call, Finish, GenerationOptions, TokenLogprob } from '@sallyport/core'
import type { Engine } from './engine/engine.js'
import type { GenerationRequest } from './engine/generation.js'

/** A chunk that chat and completion have in common: text, or the end. */
export type GeneratedChunk = { delta: string; logprobs?: TokenLogprob[] } | Finish

/** The constraints that the format of a chat answer adds to the options of a request. */
export type GenerationConstraints = Pick<GenerationRequest, 'grammar' | 'visibleControls' | 'isOver'>

/** Continues prompt tokens by the options that chat and completion share. */
export async function* generate(
  engine: Engine,
  prompt: Uint32Array,
  options: GenerationOptions,
  { signal, tenant }: Call,
  constraints: GenerationConstraints = {},
): AsyncGenerator<GeneratedChunk> {
  const { stop = [], maxTokens, topLogprobs } = options
  const request = {
    prompt,
    sampling: options,
    stop,
    tenant,
    ...constraints,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
  }
  for await (const chunk of engine.generate(request, signal)) {
    if ('finish' in chunk) yield chunk
    else yield { delta: chunk.text, ...(topLogprobs === undefined ? {} : { logprobs: [...chunk.logprobs] }) }
  }
}
