/** The messages and tools of chat requests. */

import type { Schema } from './schema.js'
import { nonEmptyText, objectOf, opaque, text } from './common.js'

/** The id of a tool call; where checks are enforced, models get a substitute. */
export const identifier = opaque(
  'an identifier: with input checks on, models get a substitute, and one that does not look like an id is refused',
  { type: 'string', minLength: 1 },
)

export const imageReason = 'an image, which only vision models receive, or its URL, which no model receives'

export const imageDetail = { type: 'string', enum: ['auto', 'low', 'high'] } as const

export const imageUrl = {
  ...opaque(imageReason, { type: ['object', 'string'] }),
  required: ['url'],
  properties: { url: opaque(imageReason), detail: imageDetail },
  'x-allowed':
    'an object {url, detail} or a string, with the image as a data: URI or base64, or its URL where those are fetched',
} as const

const part = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', enum: ['text', 'image_url'] }, text, image_url: imageUrl },
  'x-allowed': 'an object {type, text} or {type, image_url}',
} as const

const functionType = { type: 'string', enum: ['function'] } as const

const toolCall = objectOf(
  {
    id: identifier,
    type: functionType,
    function: objectOf({ name: nonEmptyText, arguments: { ...text, description: 'JSON text' } }),
  },
  ['type'],
)

const message = {
  type: 'object',
  required: ['role'],
  properties: {
    role: { type: 'string', enum: ['system', 'developer', 'user', 'assistant', 'tool', 'function'] },
    content: {
      ...text,
      type: ['string', 'array'],
      minItems: 1,
      items: part,
      'x-allowed': 'a string or a non-empty array of parts {type, text} or {type, image_url}',
    },
    name: opaque('read in messages of the role "function" only, as the identifier of a call'),
    tool_calls: { type: 'array', items: toolCall },
    tool_call_id: identifier,
    reasoning: text,
  },
  'x-allowed': 'an object {role, content}',
} as const

export const messages = {
  ...nonEmptyText,
  type: ['string', 'array'],
  minItems: 1,
  items: message,
  description: 'a string is one user message',
  'x-allowed': 'a non-empty string or a non-empty array of messages {role, content}',
} as const

export const toolName = {
  ...text,
  pattern: '^[\\w.:/-]{1,128}$',
  'x-allowed': 'a name of 1 to 128 letters, digits, underscores, dots, colons, slashes and hyphens',
} as const

/** A JSON Schema of the caller, whose texts the safeguards see. */
export const jsonSchema = { ...text, type: ['object', 'boolean'], 'x-allowed': 'a JSON Schema' } as const

const tool = objectOf({
  type: functionType,
  function: {
    type: 'object',
    required: ['name'],
    properties: { name: toolName, description: text, parameters: jsonSchema, strict: { type: 'boolean' } },
  },
})

/** @param forms what a tool looks like, for messages */
export const oneOrManyTools = <const Tool extends Schema>(tool: Tool, forms: string) =>
  ({
    ...tool,
    type: ['array', 'object'],
    maxItems: 128,
    items: { ...tool, 'x-allowed': `an object ${forms}` },
    'x-allowed': `an array of at most 128 tools ${forms}, or one such object`,
  }) as const

export const tools = oneOrManyTools(tool, '{type: "function", function}')

export const chosenTool = opaque('must equal the name of a tool, which is text', { type: 'string', minLength: 1 })

const namedFunction = objectOf({ name: chosenTool })

const namedTool = {
  ...objectOf({ type: functionType, function: namedFunction }),
  'x-allowed': 'an object {type: "function", function: {name}}',
} as const

export const toolChoice = {
  ...opaque('one of a few words', { type: ['string', 'object'] }),
  pattern: '^(?:none|auto|required|any)$',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['function', 'allowed_tools'] },
    function: namedFunction,
    allowed_tools: objectOf({
      mode: { type: 'string', enum: ['auto', 'required'] },
      tools: {
        type: 'array',
        minItems: 1,
        maxItems: 128,
        items: namedTool,
        'x-allowed': 'a list of 1 to 128 tools {type: "function", function: {name}}',
      },
    }),
  },
  'x-allowed':
    '"none", "auto", "required", "any", or an object {type: "function", function: {name}} or {type: "allowed_tools", allowed_tools: {mode, tools}}',
} as const

export const namedSchema = {
  name: opaque('not read'),
  description: opaque('not read'),
  strict: { type: 'boolean' },
  schema: jsonSchema,
} as const

export const responseFormat = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['text', 'json_object', 'json_schema'] },
    json_schema: { type: 'object', required: ['schema'], properties: namedSchema },
  },
} as const
