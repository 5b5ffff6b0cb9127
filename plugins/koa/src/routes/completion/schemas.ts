import type { BodyOf, Schema } from '../../schemas/schema.js'
import { safeguardSchemas } from '../../safeguards/requested-checks.js'
import type { RouteSettings } from '../route.js'
import { objectOf, envelopeFields, listOf, modelName, oneOrManyTexts, opaque, text } from '../../schemas/common.js'
import { finishReason, generationProperties, pendingFinishReason, tokenCount, usage } from '../../schemas/generation.js'

export const completionRequest = (limits: RouteSettings) =>
  ({
    type: 'object',
    required: ['model', 'prompt'],
    properties: {
      model: modelName,
      prompt: oneOrManyTexts(limits.prompts),
      ...generationProperties(limits),
      max_tokens: { ...tokenCount, description: 'absent: 16 under /v1 and 256 elsewhere, unless configured otherwise' },
      suffix: { ...text, description: 'text after the gap, for models that infill' },
      echo: { type: 'boolean', description: 'put the prompt before the text' },
      logprobs: { type: 'integer', minimum: 0, maximum: 20 },
      ...safeguardSchemas(limits.checks),
    },
  }) as const

export type CompletionBody = BodyOf<ReturnType<typeof completionRequest>>

const stopReason = opaque('equals one of the stop sequences of the request')

const logprobs: Schema = {
  type: 'object',
  properties: {
    tokens: listOf(text),
    token_logprobs: listOf({ type: 'number' }),
    top_logprobs: listOf({
      type: 'object',
      propertyNames: text,
      additionalProperties: { type: 'number' },
      description: 'by token',
    }),
    text_offset: listOf({ type: 'integer' }),
  },
}

const choice = objectOf(
  {
    index: { type: 'integer' },
    text,
    finish_reason: finishReason,
    stop_reason: { ...stopReason, description: 'the stop sequence that ended the generation' },
    logprobs,
  },
  ['stop_reason', 'logprobs'],
)

const chunkChoice = objectOf(
  {
    index: { type: 'integer' },
    text,
    finish_reason: pendingFinishReason,
    stop_reason: { ...stopReason, type: ['string', 'null'] },
    logprobs,
  },
  ['logprobs'],
)

const textCompletion = (choices: Schema): Schema =>
  objectOf({ ...envelopeFields('text_completion'), choices: listOf(choices), usage }, ['usage'])

export const completionResponse = textCompletion(choice)
export const completionChunk = textCompletion(chunkChoice)
