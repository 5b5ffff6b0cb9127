import { completion } from '@sallyport/core'
import type { ChatChunk, CompletionCapability, CompletionRequest } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import type { Fault } from '../plant.js'
import { generationFaults } from './generation.js'
import { asked, said } from './streams.js'

const faults = {
  ...generationFaults<CompletionRequest>({
    read: ({ prompt }) => prompt,
    write: (request, prompt) => ({ ...request, prompt }),
  }),
  'the prompt is not part of the continuation': said<CompletionRequest, ChatChunk>((chunk, { prompt }, position) =>
    position === 0 ? [{ delta: prompt }, chunk] : [chunk],
  ),
  'a suffix is infilled, or refused with unsupported': asked<CompletionRequest, ChatChunk>(
    ({ prompt, maxTokens = 1 }) => ({
      prompt,
      maxTokens,
    }),
  ),
} as Record<string, Fault<CompletionCapability>>

export const completionFaults = plant<CompletionCapability>({
  capability: completion,
  ...references.completion,
  faults,
})
