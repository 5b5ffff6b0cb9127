import type { BodyOf, Schema } from '../../schemas/schema.js'
import { safeguardSchemas } from '../../safeguards/requested-checks.js'
import type { RouteSettings } from '../route.js'
import { objectOf, calledToolName, envelopeFields, listOf, modelName, opaque, text } from '../../schemas/common.js'
import { finishReason, generationProperties, pendingFinishReason, tokenCount, usage } from '../../schemas/generation.js'
import { messages, responseFormat, toolChoice, tools } from '../../schemas/messages.js'

export const chatRequest = (limits: RouteSettings) =>
  ({
    type: 'object',
    required: ['model', 'messages'],
    properties: {
      model: modelName,
      messages,
      ...generationProperties(limits),
      max_completion_tokens: tokenCount,
      parallel_tool_calls: { type: 'boolean' },
      reasoning_effort: { type: 'string', enum: ['low', 'medium', 'high'] },
      tools,
      tool_choice: toolChoice,
      response_format: responseFormat,
      logprobs: { type: 'boolean' },
      top_logprobs: { type: 'integer', minimum: 0, maximum: 20 },
      ...safeguardSchemas(limits.checks),
    },
  }) as const

export type ChatBody = BodyOf<ReturnType<typeof chatRequest>>

const toolCalls: Schema = listOf({
  type: 'object',
  properties: {
    index: { type: 'integer', description: 'in streams' },
    id: opaque('an identifier: what does not look like one is checked as text'),
    type: { type: 'string', enum: ['function'] },
    function: {
      type: 'object',
      properties: { name: calledToolName, arguments: { ...text, description: 'JSON text' } },
    },
  },
})

const message = objectOf(
  {
    role: { type: 'string', enum: ['assistant'] },
    content: { ...text, type: ['string', 'null'] },
    reasoning: text,
    tool_calls: toolCalls,
  },
  ['reasoning', 'tool_calls'],
)

const token: Readonly<Record<string, Schema>> = {
  token: text,
  logprob: { type: 'number' },
  bytes: listOf({ type: 'integer' }),
}

const logprobs: Schema = {
  type: 'object',
  properties: { content: listOf(objectOf({ ...token, top_logprobs: listOf(objectOf(token)) })) },
}

const choice = objectOf({ index: { type: 'integer' }, message, finish_reason: finishReason, logprobs }, ['logprobs'])

const chunkChoice = objectOf(
  {
    index: { type: 'integer' },
    delta: {
      type: 'object',
      properties: {
        role: { type: 'string', enum: ['assistant'] },
        content: text,
        reasoning: text,
        tool_calls: toolCalls,
      },
    },
    finish_reason: pendingFinishReason,
    generated_text: { ...text, type: ['string', 'null'], description: 'the whole text; not under /v1' },
    logprobs,
  },
  ['generated_text', 'logprobs'],
)

export const chatResponse = objectOf({ ...envelopeFields('chat.completion'), choices: listOf(choice), usage }, [
  'usage',
])

export const chatChunk = objectOf({ ...envelopeFields('chat.completion.chunk'), choices: listOf(chunkChoice), usage }, [
  'usage',
])
