import type { BodyOf } from '../../schemas/schema.js'
import { nonEmptyText, opaque, text } from '../../schemas/common.js'
import { identifier, imageDetail, imageUrl } from '../../schemas/messages.js'
import { serverLabel } from './tool-schemas.js'

const part = {
  type: {
    type: 'string',
    enum: ['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text', 'input_image', 'refusal'],
  },
  text,
  refusal: text,
  image_url: imageUrl,
  detail: imageDetail,
} as const

const parts = 'parts {type: "input_text", text} or {type: "input_image", image_url}'

const content = {
  ...text,
  type: ['string', 'array', 'object'],
  minItems: 1,
  required: ['type'],
  properties: part,
  items: { type: 'object', required: ['type'], properties: part, 'x-allowed': 'an object {type, text}' },
  'x-allowed': `a string or a non-empty array of ${parts}`,
} as const

export const item = {
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: [
        ...['message', 'function_call', 'function_call_output', 'mcp_call', 'mcp_list_tools'],
        ...['reasoning', 'item_reference'],
      ],
    },
    role: { type: 'string', enum: ['system', 'developer', 'user', 'assistant'] },
    content,
    id: opaque('must equal the id of a stored item, or is not read'),
    status: opaque('not read'),
    arguments: { ...text, description: 'JSON text' },
    call_id: identifier,
    name: nonEmptyText,
    output: { 'x-text': true, description: 'any value; the model reads one that is not a string as JSON' },
    error: { 'x-text': true, description: 'of a remote tool call that failed; any value' },
    server_label: serverLabel,
    summary: { type: 'array', items: { type: 'object', properties: { type: part.type, text } } },
  },
  'x-allowed': 'an object with a role and content, or an item of one of the documented types',
} as const

export type ItemBody = BodyOf<typeof item>

export type ContentBody = NonNullable<ItemBody['content']>
