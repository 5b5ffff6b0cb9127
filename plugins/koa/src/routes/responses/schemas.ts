/** The schema of requests for responses. */

import type { BodyOf } from '../../schemas/schema.js'
import { safeguardSchemas } from '../../safeguards/requested-checks.js'
import type { RouteSettings } from '../route.js'
import { modelName, nonEmptyText, opaque, text } from '../../schemas/common.js'
import { generationProperties, tokenCount } from '../../schemas/generation.js'
import { namedSchema } from '../../schemas/messages.js'
import { item } from './item-schemas.js'
import { toolChoice, tools } from './tool-schemas.js'

const format = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', enum: ['text', 'json_object', 'json_schema'] }, ...namedSchema },
} as const

export type TextFormatBody = BodyOf<typeof format>

const responseId = {
  ...opaque('must equal the id of a response'),
  pattern: '^[\\w-]{1,128}$',
  'x-allowed': 'the id of a response',
} as const

/** Unsupported fields that would change the answer; they are refused rather than ignored. */
const unsupported = {
  background: {
    type: 'boolean',
    enum: [false],
    'x-allowed': 'false: background responses are not supported; use "stream" for partial output',
  },
  conversation: {
    type: 'null',
    'x-allowed':
      'absent: conversations are not stored; continue one with "previous_response_id", or send all of it as "input"',
  },
  prompt: { type: 'null', 'x-allowed': 'absent: prompts are not stored; send the text as "instructions" and "input"' },
  truncation: {
    type: 'string',
    enum: ['disabled'],
    'x-allowed': '"disabled": the input is never shortened; leave out what the model has no room for',
  },
} as const

export const responseRequest = (limits: RouteSettings) => {
  const safeguards = safeguardSchemas(limits.checks)
  const { temperature, top_p, stream, stream_options } = generationProperties(limits)
  return {
    type: 'object',
    required: ['model', 'input'],
    properties: {
      model: modelName,
      input: {
        ...nonEmptyText,
        type: ['string', 'array'],
        minItems: 1,
        items: item,
        description: 'a string is one user message',
        'x-allowed': 'a non-empty string or a non-empty array of items such as {role, content}',
      },
      instructions: { ...text, description: 'system text before all others' },
      max_output_tokens: { ...tokenCount, description: 'tokens of all steps together' },
      max_tool_calls: { type: 'integer', minimum: 0, maximum: 1024, description: 'calls of remote tools' },
      parallel_tool_calls: { type: 'boolean' },
      reasoning: { type: 'object', properties: { effort: { type: 'string', enum: ['low', 'medium', 'high'] } } },
      ...{ temperature, top_p, stream, stream_options },
      tools,
      tool_choice: toolChoice,
      text: { type: 'object', properties: { format } },
      metadata: {
        type: 'object',
        propertyNames: opaque('shown to the caller only'),
        additionalProperties: opaque('shown to the caller only'),
        'x-allowed': 'an object of strings',
      },
      store: { type: 'boolean', description: 'whether the response is stored, where the server stores any' },
      previous_response_id: { ...responseId, description: 'continues that response, where the server stores any' },
      ...unsupported,
      safeguards: {
        ...safeguards.input,
        description: 'checks of what goes in and of what comes out',
        properties: { ...safeguards.input.properties, ...safeguards.output.properties },
      },
    },
  } as const
}

export type ResponseBody = BodyOf<ReturnType<typeof responseRequest>>
