/** The fields that requests of chat and of text completion share. */

import type { Schema } from './schema.js'
import type { Limits } from '../options.js'
import { count, objectOf, nonEmptyText, opaque } from './common.js'

const number = (minimum: number, maximum: number, description: string) =>
  ({ type: 'number', minimum, maximum, description }) as const

const maxStopLength = 256
const maxStops = 16
const maxTokenCount = 2 ** 31 - 1

const stopSequence = { ...nonEmptyText, maxLength: maxStopLength } as const

export const tokenCount = { type: 'integer', minimum: 1, maximum: maxTokenCount } as const

export const generationProperties = ({ choices }: Limits) =>
  ({
    temperature: number(0, 2, '0 is greedy'),
    top_p: number(0, 1, 'nucleus sampling'),
    top_k: { type: 'integer', minimum: -1, maximum: maxTokenCount, description: '0 and -1 keep all tokens' },
    min_p: number(0, 1, 'minimum probability of a token, relative to the most probable one'),
    frequency_penalty: number(-2, 2, 'positive values penalise tokens by how often they occurred'),
    presence_penalty: number(-2, 2, 'positive values penalise tokens that occurred'),
    logit_bias: {
      type: 'object',
      maxProperties: 1024,
      propertyNames: {
        ...opaque('the id of a token'),
        pattern: '^[0-9]{1,15}$',
        'x-allowed': 'an object whose keys are token ids',
      },
      additionalProperties: { type: 'integer', minimum: -100, maximum: 100 },
      description: 'added to the logits of tokens, by token id',
      'x-allowed': 'an object of at most 1024 token ids, each with an integer from -100 to 100',
    },
    max_tokens: tokenCount,
    stop: {
      ...stopSequence,
      type: ['string', 'array'],
      maxItems: maxStops,
      items: stopSequence,
      description: 'sequences that end the generation',
      'x-allowed': `a non-empty string or an array of at most ${maxStops} of them, each of at most ${maxStopLength} characters`,
    },
    seed: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    n: { type: 'integer', minimum: 1, maximum: choices, description: 'number of choices per prompt' },
    stream: { type: 'boolean' },
    stream_options: { type: 'object', properties: { include_usage: { type: 'boolean' } } },
  }) as const

export const usage = objectOf({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: objectOf({ audio_tokens: count, cached_tokens: count }),
  completion_tokens_details: objectOf({
    reasoning_tokens: count,
    accepted_prediction_tokens: count,
    rejected_prediction_tokens: count,
    audio_tokens: count,
  }),
})

/** Usage of calls that generate nothing. */
export const promptUsage = objectOf({ prompt_tokens: count, total_tokens: count })

export const finishReason: Schema = { type: 'string', enum: ['stop', 'length', 'tool_calls', 'content_filter'] }
export const pendingFinishReason: Schema = { type: ['string', 'null'], enum: [...(finishReason.enum ?? []), null] }
