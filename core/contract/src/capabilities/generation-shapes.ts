/** Shapes shared by chat and text completion. */

import { opaque } from './fields.js'
import { list, oneOf } from './shape.js'

const tokenShape = { logprob: 'number', 'bytes?': list('number') } as const

export const logprobsShape = list({
  ...tokenShape,
  token: 'copy',
  'top?': list({ ...tokenShape, token: 'aside' }),
} as const)

/** Stop sequences are checked as text, because they may be sent to another server. */
export const optionsShape = {
  'temperature?': 'number',
  'topP?': 'number',
  'topK?': 'number',
  'minP?': 'number',
  'frequencyPenalty?': 'number',
  'presencePenalty?': 'number',
  'logitBias?': { '*': 'number' },
  'seed?': 'number',
  'maxTokens?': 'number',
  'stop?': list('text'),
  'n?': 'number',
  'topLogprobs?': 'number',
} as const

const usageShape = {
  promptTokens: 'number',
  'cachedTokens?': 'number',
  completionTokens: 'number',
  'reasoningTokens?': 'number',
} as const

/** The fields of the last chunk. Other chunks have none of them. */
export const finishShape = {
  'finish?': oneOf('stop', 'length', 'tool_calls', 'content_filter'),
  'usage?': usageShape,
  'stopSequence?': opaque('equals a stop sequence of the request: the kernel enforces it'),
} as const
