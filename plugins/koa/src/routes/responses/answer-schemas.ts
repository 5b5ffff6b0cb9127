/** The schemas of a response and of its stream events. */

import type { Schema } from '../../schemas/schema.js'
import { count, objectOf, calledToolName, listOf, opaque, servedModel, text } from '../../schemas/common.js'
import { jsonSchema } from '../../schemas/messages.js'
import { echoedTool, serverLabel, toolChoice } from './tool-schemas.js'

const madeId = opaque('made by the server')
const emptyList: Schema = { type: 'array', maxItems: 0, items: { type: 'object', properties: {} } }
const part: Readonly<Record<string, Schema>> = {
  type: { type: 'string', enum: ['output_text', 'reasoning_text'] },
  text,
  annotations: emptyList,
  logprobs: emptyList,
}

const status: Schema = { type: 'string', enum: ['in_progress', 'completed', 'incomplete', 'failed'] }

const item: Schema = {
  type: 'object',
  required: ['type', 'id', 'status'],
  properties: {
    type: { type: 'string', enum: ['message', 'reasoning', 'function_call', 'mcp_call'] },
    id: madeId,
    status,
    role: { type: 'string', enum: ['assistant'] },
    content: {
      type: ['object', 'array'],
      properties: part,
      items: { type: 'object', properties: part },
      description: 'a list of parts under /v1, else the one part',
    },
    summary: emptyList,
    call_id: opaque('an identifier: what does not look like one is checked as text'),
    name: calledToolName,
    arguments: { ...text, description: 'JSON text' },
    server_label: serverLabel,
    output: { ...text, type: ['string', 'null'], description: 'output of a remote tool' },
    error: { ...text, type: ['string', 'null'], description: 'why a remote tool has no output' },
    approval_request_id: { type: 'null' },
  },
}

const format: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['text', 'json_object', 'json_schema'] },
    name: opaque('of the request; not read'),
    schema: jsonSchema,
    strict: { type: 'boolean' },
  },
}

const usage: Schema = {
  ...objectOf({
    input_tokens: count,
    input_tokens_details: objectOf({ cached_tokens: count }),
    output_tokens: count,
    output_tokens_details: objectOf({ reasoning_tokens: count }),
    total_tokens: count,
  }),
  type: ['object', 'null'],
  description: 'over all steps',
}

const orNull = (type: string): Schema => ({ type: [type, 'null'] })

/** Under /v1 all of these are present; elsewhere only those with a value. */
const optional: Readonly<Record<string, Schema>> = {
  completed_at: orNull('integer'),
  background: { type: 'boolean' },
  error: {
    type: ['object', 'null'],
    properties: { code: opaque('of the table of errors'), message: opaque('of the table of errors') },
  },
  incomplete_details: {
    type: ['object', 'null'],
    properties: {
      reason: {
        type: 'string',
        enum: [
          ...['max_output_tokens', 'content_filter', 'max_steps', 'max_time', 'max_context_length'],
          ...['max_tool_calls', 'repeated_tool_call', 'invalid_output'],
        ],
      },
    },
  },
  instructions: { ...text, type: ['string', 'null'] },
  max_output_tokens: orNull('integer'),
  max_tool_calls: orNull('integer'),
  previous_response_id: opaque('the id of a response', orNull('string')),
  reasoning: {
    type: ['object', 'null'],
    properties: { effort: { type: 'string', enum: ['low', 'medium', 'high'] }, summary: { type: 'null' } },
  },
  store: { type: 'boolean' },
  temperature: { type: 'number' },
  text: { type: 'object', properties: { format } },
  top_p: { type: 'number' },
  truncation: { type: 'string', enum: ['disabled'] },
  usage,
  metadata: {
    type: 'object',
    propertyNames: opaque('of the request, shown to its caller only'),
    additionalProperties: opaque('of the request, shown to its caller only'),
  },
  service_tier: { type: 'string', enum: ['default'] },
  top_logprobs: count,
  presence_penalty: count,
  frequency_penalty: count,
  safety_identifier: { type: 'null' },
  prompt_cache_key: { type: 'null' },
}

export const responseResource: Schema = objectOf(
  {
    id: madeId,
    object: { type: 'string', enum: ['response'] },
    created_at: { type: 'integer', description: 'Unix seconds' },
    status,
    model: servedModel,
    output: listOf(item),
    parallel_tool_calls: { type: ['integer', 'boolean'], description: 'a boolean under /v1' },
    tool_choice: toolChoice,
    tools: listOf(echoedTool),
    ...optional,
  },
  Object.keys(optional),
)

const objects = ['output_item', 'content_part', 'output_text', 'reasoning_text', 'function_call_arguments', 'mcp_call']

export const responseChunk: Schema = objectOf(
  {
    type: {
      ...opaque('the name of an event'),
      pattern: `^response\\.(?:created|in_progress|completed|incomplete|failed|mcp_call_arguments|${objects.join('|')})`,
    },
    sequence_number: count,
    output_index: count,
    content_index: count,
    item_id: madeId,
    delta: text,
    text,
    arguments: text,
    name: calledToolName,
    item,
    part: { type: 'object', properties: part },
    logprobs: emptyList,
    response: responseResource,
  },
  [
    ...['output_index', 'content_index', 'item_id', 'delta', 'text', 'arguments', 'name', 'item', 'part'],
    ...['logprobs', 'response'],
  ],
)
