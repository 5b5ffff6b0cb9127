/** What requests for responses hold. */

import type { BodySchema, Schema } from '../../body/schema.js'
import type { Limits } from '../../options.js'
import { modelName, nonEmptyText, opaque, text } from '../schemas/common.js'
import { generationProperties, safeguardInput, safeguardOutput, tokenCount } from '../schemas/generation.js'
import { identifier, picture, pictureDetail, toolName } from '../schemas/messages.js'
import type { ResponseBody } from './body.js'

const part: Readonly<Record<string, Schema>> = {
  type: {
    type: 'string',
    enum: ['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text', 'input_image', 'refusal'],
  },
  text,
  refusal: text,
  image_url: {
    ...opaque(picture, { type: ['object', 'string'] }),
    required: ['url'],
    properties: { url: opaque(picture), detail: pictureDetail },
    'x-allowed':
      'a string or an object {url}, with the picture as a data: URI or base64, or its address where those are fetched',
  },
  detail: pictureDetail,
}

const parts = 'parts {type: "input_text", text} or {type: "input_image", image_url}'

const content: Schema = {
  ...text,
  type: ['string', 'array', 'object'],
  minItems: 1,
  required: ['type'],
  properties: part,
  items: { type: 'object', required: ['type'], properties: part, 'x-allowed': 'an object {type, text}' },
  'x-allowed': `a string or a non-empty array of ${parts}`,
}

const label = opaque('must equal the label of a server')

const serverLabel: Schema = { ...label, minLength: 1, maxLength: 64, 'x-allowed': 'a string of 1 to 64 characters' }

const item: Schema = {
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
    id: opaque('must equal the id of an item that is kept, or is not read'),
    status: opaque('not read'),
    arguments: { ...text, description: 'JSON text' },
    call_id: identifier,
    name: nonEmptyText,
    output: { 'x-text': true, description: 'any value: what is no string is shown to the model as JSON' },
    error: { 'x-text': true, description: 'of a remote call that failed; any value' },
    server_label: label,
    summary: { type: 'array', items: { type: 'object', properties: { type: part['type'] ?? text, text } } },
  },
  'x-allowed': 'an object with a role and content, or an item of one of the documented types',
}

const toolProperties: Readonly<Record<string, Schema>> = {
  type: { type: 'string', enum: ['function', 'mcp'] },
  name: toolName,
  description: text,
  parameters: { ...text, type: ['object', 'boolean'], 'x-allowed': 'a JSON Schema' },
  strict: { type: 'boolean' },
  server_label: serverLabel,
  server_url: {
    ...opaque('fetched under the rules for addresses of requests'),
    maxLength: 2048,
    examples: ['https://tools.example.com/mcp'],
  },
  server_description: text,
  initials: {
    ...opaque('the beginning of ids'),
    pattern: '^[A-Za-z0-9-]{1,16}$',
    'x-allowed': '1 to 16 letters, digits and hyphens',
  },
  authorization: opaque('a credential for the server', { type: 'string', maxLength: 8192 }),
  headers: {
    type: 'object',
    maxProperties: 64,
    propertyNames: opaque('the name of a header for the server'),
    additionalProperties: opaque('a credential or setting for the server'),
    'x-allowed': 'an object of at most 64 strings',
  },
  allowed_tools: {
    type: ['array', 'object'],
    maxItems: 256,
    items: {
      ...opaque('must equal the name of a tool', { type: ['string', 'object'] }),
      required: ['name'],
      properties: { name: opaque('must equal the name of a tool') },
      'x-allowed': 'the name of a tool',
    },
    properties: { tool_names: { type: 'array', items: opaque('must equal the name of a tool') } },
    'x-allowed': 'an array of at most 256 names of tools, or an object {tool_names}',
  },
  require_approval: {
    type: 'string',
    enum: ['never'],
    'x-allowed': '"never": calls are made without asking; leave servers out that need approval',
  },
}

const tool = { required: ['type'], properties: toolProperties }

const toolForms = '{type: "function", name, parameters} or {type: "mcp", server_label}'

const tools: Schema = {
  ...tool,
  type: ['array', 'object'],
  maxItems: 128,
  items: { type: 'object', ...tool, 'x-allowed': `an object ${toolForms}` },
  'x-allowed': `an array of at most 128 tools ${toolForms}, or one such object`,
}

const chosen = opaque('must equal the name of a tool, which is text', { type: 'string', minLength: 1 })

const toolChoice: Schema = {
  ...opaque('one of a few words', { type: ['string', 'object'] }),
  pattern: '^(?:none|auto|required|any)$',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['function', 'mcp', 'allowed_tools'] },
    name: chosen,
    server_label: label,
    mode: { type: 'string', enum: ['auto', 'required'] },
    tools: {
      type: 'array',
      minItems: 1,
      maxItems: 128,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string', enum: ['function', 'mcp'] }, name: chosen, server_label: label },
        'x-allowed': 'an object {type: "function", name} or {type: "mcp", server_label, name}',
      },
      'x-allowed': 'an array of 1 to 128 tools {type, name, server_label}',
    },
  },
  'x-allowed':
    '"none", "auto", "required", "any", or an object {type: "function", name}, {type: "mcp", server_label, name} or {type: "allowed_tools", mode, tools}',
}

const format: Schema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['text', 'json_object', 'json_schema'] },
    name: opaque('not read'),
    description: opaque('not read'),
    strict: { type: 'boolean' },
    schema: { ...text, type: ['object', 'boolean'], 'x-allowed': 'a JSON Schema' },
  },
}

const responseId: Schema = {
  ...opaque('must equal the id of a response'),
  pattern: '^[\\w-]{1,128}$',
  'x-allowed': 'the id of a response',
}

export const responseRequest = (limits: Limits): BodySchema<ResponseBody> => {
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
      max_output_tokens: { ...tokenCount, description: 'of all steps together' },
      max_tool_calls: { type: 'integer', minimum: 0, maximum: 1024, description: 'of remote tools' },
      parallel_tool_calls: { type: 'boolean' },
      reasoning: {
        type: 'object',
        properties: { effort: { type: 'string', enum: ['low', 'medium', 'high'] } },
      },
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
      store: { type: 'boolean', description: 'whether the response is kept, where the server keeps any' },
      previous_response_id: { ...responseId, description: 'continues that response, where the server keeps any' },
      safeguards: {
        ...safeguardInput,
        description: 'checks of what goes in and of what comes out',
        properties: { ...safeguardInput.properties, ...safeguardOutput.properties },
      },
    },
  } as BodySchema<ResponseBody>
}
