/** The messages and tools of chat requests. */

import type { Schema } from '../../body/schema.js'
import { nonEmptyString } from './common.js'

const detail: Schema = { type: 'string', enum: ['auto', 'low', 'high'] }

const part: Schema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['text', 'image_url'] },
    text: { type: 'string' },
    image_url: {
      type: ['object', 'string'],
      required: ['url'],
      properties: { url: { type: 'string' }, detail },
      'x-allowed':
        'an object {url, detail} or a string, with the picture as a data: URI or base64, or its address where those are fetched',
    },
  },
  'x-allowed': 'an object {type, text} or {type, image_url}',
}

const toolCall: Schema = {
  type: 'object',
  required: ['id', 'function'],
  properties: {
    id: nonEmptyString,
    type: { type: 'string', enum: ['function'] },
    function: {
      type: 'object',
      required: ['name', 'arguments'],
      properties: { name: nonEmptyString, arguments: { type: 'string', description: 'JSON text' } },
    },
  },
}

const message: Schema = {
  type: 'object',
  required: ['role'],
  properties: {
    role: { type: 'string', enum: ['system', 'developer', 'user', 'assistant', 'tool', 'function'] },
    content: {
      type: ['string', 'array'],
      minItems: 1,
      items: part,
      'x-allowed': 'a string or a non-empty array of parts {type, text} or {type, image_url}',
    },
    name: { type: 'string' },
    tool_calls: { type: 'array', items: toolCall },
    tool_call_id: nonEmptyString,
    reasoning: { type: 'string' },
  },
  'x-allowed': 'an object {role, content}',
}

export const messages: Schema = {
  type: ['string', 'array'],
  minLength: 1,
  minItems: 1,
  items: message,
  description: 'a string is one user message',
  'x-allowed': 'a non-empty string or a non-empty array of messages {role, content}',
}

const toolProperties: Readonly<Record<string, Schema>> = {
  type: { type: 'string', enum: ['function'] },
  function: {
    type: 'object',
    required: ['name'],
    properties: {
      name: {
        type: 'string',
        pattern: '^[\\w.:/-]{1,128}$',
        'x-allowed': 'a name of 1 to 128 letters, digits, underscores, dots, colons, slashes and hyphens',
      },
      description: { type: 'string' },
      parameters: { type: ['object', 'boolean'], 'x-allowed': 'a JSON Schema' },
      strict: { type: 'boolean' },
    },
  },
}

const tool = { required: ['type', 'function'], properties: toolProperties }

export const tools: Schema = {
  ...tool,
  type: ['array', 'object'],
  maxItems: 128,
  items: { type: 'object', ...tool, 'x-allowed': 'an object {type: "function", function}' },
  'x-allowed': 'an array of at most 128 tools {type: "function", function}, or one such object',
}

export const toolChoice: Schema = {
  type: ['string', 'object'],
  pattern: '^(?:none|auto|required|any)$',
  required: ['type', 'function'],
  properties: {
    type: { type: 'string', enum: ['function'] },
    function: { type: 'object', required: ['name'], properties: { name: nonEmptyString } },
  },
  'x-allowed': '"none", "auto", "required", "any", or an object {type: "function", function: {name}}',
}

export const responseFormat: Schema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['text', 'json_object', 'json_schema'] },
    json_schema: {
      type: 'object',
      required: ['schema'],
      properties: {
        name: { type: 'string' },
        description: { type: 'string' },
        strict: { type: 'boolean' },
        schema: { type: ['object', 'boolean'], 'x-allowed': 'a JSON Schema' },
      },
    },
  },
}
