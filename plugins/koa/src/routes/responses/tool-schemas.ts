/** The tools of requests and `tool_choice`: as they are sent, and as responses echo them. */

import type { BodyOf, Schema } from '../../schemas/schema.js'
import { opaque, text } from '../../schemas/common.js'
import { chosenTool, jsonSchema, oneOrManyTools, toolName } from '../../schemas/messages.js'

export const serverLabel = opaque('equals the label of a server, from the configuration or the request')

const toolServerLabel = {
  ...serverLabel,
  minLength: 1,
  maxLength: 64,
  'x-allowed': 'a string of 1 to 64 characters',
} as const

/** Fields that responses echo; credentials are never echoed. */
const toolProperties = {
  type: { type: 'string', enum: ['function', 'mcp'] },
  name: toolName,
  description: text,
  parameters: jsonSchema,
  strict: { type: 'boolean' },
  server_label: toolServerLabel,
  server_url: {
    ...opaque('fetched under the rules for URLs of requests'),
    maxLength: 2048,
    examples: ['https://tools.example.com/mcp'],
  },
  server_description: text,
  initials: {
    ...opaque('the prefix of ids'),
    pattern: '^[A-Za-z0-9-]{1,16}$',
    'x-allowed': '1 to 16 letters, digits and hyphens',
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
    required: ['tool_names'],
    properties: {
      tool_names: { type: 'array', items: opaque('must equal the name of a tool') },
      read_only: {
        type: 'boolean',
        enum: [false],
        'x-allowed': 'absent: what servers declare as read-only is not relied on; name the tools in "tool_names"',
      },
    },
    'x-allowed': 'an array of at most 256 names of tools, or an object {tool_names}',
  },
  require_approval: {
    type: 'string',
    enum: ['never'],
    'x-allowed': '"never": calls are made without asking; leave servers out that need approval',
  },
} as const

/** A tool as a response echoes it. */
export const echoedTool: Schema = { type: 'object', properties: toolProperties }

const sentProperties = {
  ...toolProperties,
  authorization: opaque('a credential for the server', { type: 'string', maxLength: 8192 }),
  headers: {
    type: 'object',
    maxProperties: 64,
    propertyNames: opaque('the name of a header for the server'),
    additionalProperties: opaque('a credential or setting for the server'),
    'x-allowed': 'an object of at most 64 strings',
  },
} as const

export const tools = oneOrManyTools(
  { type: 'object', required: ['type'], properties: sentProperties },
  '{type: "function", name, parameters} or {type: "mcp", server_label}',
)

/** A tool as the schema validates it; the fields that each type requires are checked later. */
export type ResponseToolBody = Exclude<BodyOf<typeof tools>, unknown[]>

export const toolChoice = {
  ...opaque('one of a few words', { type: ['string', 'object'] }),
  pattern: '^(?:none|auto|required|any)$',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: ['function', 'mcp', 'allowed_tools'] },
    name: chosenTool,
    server_label: serverLabel,
    mode: { type: 'string', enum: ['auto', 'required'] },
    tools: {
      type: 'array',
      minItems: 1,
      maxItems: 128,
      items: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { type: 'string', enum: ['function', 'mcp'] },
          name: chosenTool,
          server_label: serverLabel,
        },
        'x-allowed': 'an object {type: "function", name} or {type: "mcp", server_label, name}',
      },
      'x-allowed': 'an array of 1 to 128 tools {type, name, server_label}',
    },
  },
  'x-allowed':
    '"none", "auto", "required", "any", or an object {type: "function", name}, {type: "mcp", server_label, name} or {type: "allowed_tools", mode, tools}',
} as const

export type ResponseToolChoice = BodyOf<typeof toolChoice>
