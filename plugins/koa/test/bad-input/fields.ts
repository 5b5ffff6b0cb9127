/** Fields of chat requests. */

import { chat, field } from './case.js'
import type { Case } from './case.js'

const said = (message: object) => ({ model: 'speaker', messages: [message] })
const image = (url: string) => said({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })
const tool = (name: string) => ({ type: 'function', function: { name } })
const withParameters = (parameters: object) => ({ type: 'function', function: { name: 'f', parameters } })
const allowed = (mode: string, ...names: string[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: names.map(tool) },
})
const answers = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'answer', schema } })

const messagesAllowed = 'a non-empty string or a non-empty array of messages {role, content}'
const modelAllowed = 'the name of a model (a string of 1 to 256 characters)'
const stopAllowed = 'a non-empty string or an array of at most 16 of them, each of at most 256 characters'
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')

export const fields: readonly Case[] = [
  { what: 'no model', body: { messages: 'hi' }, ...field('model', `is required: give ${modelAllowed}`) },
  { what: 'null as a model', body: chat({ model: null }), ...field('model', `is required: give ${modelAllowed}`) },
  { what: 'a number as a model', body: chat({ model: 1 }), ...field('model', `must be ${modelAllowed}`) },
  {
    what: 'a model name of 10 KB',
    body: chat({ model: 'm'.repeat(10_000) }),
    ...field('model', `must be ${modelAllowed}`),
  },
  { what: 'no messages', body: { model: 'speaker' }, ...field('messages', `is required: give ${messagesAllowed}`) },
  { what: 'empty messages', body: chat({ messages: [] }), ...field('messages', `must be ${messagesAllowed}`) },
  {
    what: 'an empty string as messages',
    body: chat({ messages: '' }),
    ...field('messages', `must be ${messagesAllowed}`),
  },
  { what: 'an object as messages', body: chat({ messages: {} }), ...field('messages', `must be ${messagesAllowed}`) },
  {
    what: 'null among the messages',
    body: chat({ messages: [null] }),
    ...field('messages[0]', 'must be an object {role, content}'),
  },
  {
    what: 'an unknown role',
    body: said({ role: 'robot', content: 'hi' }),
    ...field('messages[0].role', 'must be "system", "developer", "user", "assistant", "tool" or "function"'),
  },
  {
    what: 'no content',
    body: said({ role: 'user' }),
    ...field('messages[0].content', 'is required: give a string or a non-empty array of parts'),
  },
  {
    what: 'null as content without tool calls',
    body: said({ role: 'assistant', content: null }),
    ...field('messages[0].content', 'is required: give a string or a non-empty array of parts'),
  },
  {
    what: 'a tool message without an id',
    body: said({ role: 'tool', content: '1' }),
    ...field('messages[0].tool_call_id', 'is required: give the id of the tool call that this message answers'),
  },
  {
    what: 'an unknown part',
    body: said({ role: 'user', content: [{ type: 'video' }] }),
    ...field('messages[0].content[0].type', 'must be "text" or "image_url"'),
  },
  {
    what: 'a text part without text',
    body: said({ role: 'user', content: [{ type: 'text' }] }),
    ...field('messages[0].content[0].text', 'is required: give a string'),
  },
  {
    what: 'an image to fetch',
    body: image('https://example.com/a.png'),
    ...field(
      'messages[0].content[0].image_url.url',
      'addresses are not fetched: send the picture as a data: URI, or set server.fetch.images',
    ),
  },
  {
    what: 'an image of a local file',
    body: image('file:///etc/passwd'),
    ...field(
      'messages[0].content[0].image_url.url',
      'is of a scheme that is not read: send the picture as a data: URI',
    ),
  },
  {
    what: 'an SVG labelled as png',
    body: image(`data:image/png;base64,${svg}`),
    ...field('messages[0].content[0].image_url.url', 'is not a picture of the types png, jpeg, webp or gif'),
  },
  {
    what: 'an image that is not base64',
    body: image('data:image/png;base64,§§'),
    ...field('messages[0].content[0].image_url.url', 'is not base64'),
  },
  {
    what: 'an image for a model that sees nothing',
    body: image(`data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`),
    code: 'unsupported',
    ...field('messages', 'the model speaker reads no pictures; no loaded one does'),
  },
  {
    what: 'a temperature above its range',
    body: chat({ temperature: 2.1 }),
    ...field('temperature', 'must be a number from 0 to 2'),
  },
  {
    what: 'a temperature as text',
    body: chat({ temperature: '1' }),
    ...field('temperature', 'must be a number from 0 to 2'),
  },
  { what: 'top_p above 1', body: chat({ top_p: 1.5 }), ...field('top_p', 'must be a number from 0 to 1') },
  {
    what: 'a penalty below its range',
    body: chat({ presence_penalty: -2.5 }),
    ...field('presence_penalty', 'must be a number from -2 to 2'),
  },
  { what: 'n of 0', body: chat({ n: 0 }), ...field('n', 'must be an integer from 1 to 16') },
  { what: 'n of 17', body: chat({ n: 17 }), ...field('n', 'must be an integer from 1 to 16') },
  {
    what: 'a fraction of tokens',
    body: chat({ max_tokens: 1.5 }),
    ...field('max_tokens', 'must be an integer from 1 to 2147483647'),
  },
  { what: 'stream as text', body: chat({ stream: 'true' }), ...field('stream', 'must be true or false') },
  {
    what: 'an unknown reasoning effort',
    body: chat({ reasoning_effort: 'extreme' }),
    ...field('reasoning_effort', 'must be "low", "medium" or "high"'),
  },
  {
    what: 'a bias above its range',
    body: chat({ logit_bias: { 5: 101 } }),
    ...field('logit_bias.5', 'must be an integer from -100 to 100'),
  },
  {
    what: 'null as a bias',
    body: chat({ logit_bias: { 5: null } }),
    ...field('logit_bias.5', 'must be an integer from -100 to 100'),
  },
  {
    what: 'a bias of a word',
    body: chat({ logit_bias: { word: 1 } }),
    ...field('logit_bias', 'must be an object whose keys are token ids'),
  },
  { what: 'an empty stop text', body: chat({ stop: '' }), ...field('stop', `must be ${stopAllowed}`) },
  {
    what: 'too many stop texts',
    body: chat({ stop: Array.from({ length: 17 }, () => 'x') }),
    ...field('stop', `must be ${stopAllowed}`),
  },
  {
    what: 'null among the stop texts',
    body: chat({ stop: [null] }),
    ...field('stop[0]', 'must be a string of 1 to 256 characters'),
  },
  {
    what: 'top_logprobs alone',
    body: chat({ top_logprobs: 2 }),
    ...field('top_logprobs', 'needs "logprobs": true beside it'),
  },
  {
    what: 'a response format without its schema',
    body: chat({ response_format: { type: 'json_schema' } }),
    ...field(
      'response_format.json_schema',
      'is required for the type "json_schema": give an object {name, schema, strict}',
    ),
  },
  {
    what: 'a tool of another type',
    body: chat({ tools: [{ type: 'retrieval', function: { name: 'f' } }] }),
    ...field('tools[0].type', 'must be "function"'),
  },
  {
    what: 'two tools of one name',
    body: chat({ tools: [tool('f'), tool('f')] }),
    ...field('tools[1].function.name', 'must differ from the names of the other tools'),
  },
  {
    what: 'the choice of a tool that is not there',
    body: chat({ tools: [tool('f')], tool_choice: tool('g') }),
    ...field('tool_choice.function.name', 'must be the name of one of the tools: f'),
  },
  {
    what: 'an unknown tool choice',
    body: chat({ tools: [tool('f')], tool_choice: 'maybe' }),
    ...field(
      'tool_choice',
      'must be "none", "auto", "required", "any", or an object {type: "function", function: {name}} or {type: "allowed_tools", allowed_tools: {mode, tools}}',
    ),
  },
  {
    what: 'a tool choice of another type',
    body: chat({ tools: [tool('f')], tool_choice: { type: 'custom', custom: { name: 'f' } } }),
    ...field('tool_choice.type', 'must be "function" or "allowed_tools"'),
  },
  {
    what: 'a tool choice without its function',
    body: chat({ tools: [tool('f')], tool_choice: { type: 'function', name: 'f' } }),
    ...field('tool_choice.function', 'is required: give an object {name}'),
  },
  {
    what: 'allowed tools without a list',
    body: chat({ tools: [tool('f')], tool_choice: { type: 'allowed_tools' } }),
    ...field('tool_choice.allowed_tools', 'is required: give an object {mode, tools}'),
  },
  {
    what: 'allowed tools without a mode',
    body: chat({ tools: [tool('f')], tool_choice: { type: 'allowed_tools', allowed_tools: { tools: [tool('f')] } } }),
    ...field('tool_choice.allowed_tools.mode', 'is required: give "auto" or "required"'),
  },
  ...(['auto', 'required'] as const).map((mode) => ({
    what: `allowed tools of the mode ${mode} that are not all there`,
    body: chat({ tools: [tool('f')], tool_choice: allowed(mode, 'f', 'g') }),
    ...field('tool_choice.allowed_tools.tools[1].function.name', 'must be the name of one of the tools: f'),
  })),
  {
    what: 'allowed tools without tools',
    body: chat({ tool_choice: allowed('auto', 'f') }),
    ...field(
      'tool_choice.allowed_tools.tools[0].function.name',
      'must be the name of one of the tools: there are none',
    ),
  },
  {
    what: 'a tool whose parameters are no schema',
    body: chat({ tools: [withParameters({ type: 'object', properties: { a: { type: 'strin' } } })] }),
    ...field(
      'tools[0].function.parameters.properties.a.type',
      'must be "array", "boolean", "integer", "null", "number", "object" or "string"',
    ),
  },
  {
    what: 'a mistake in a tool behind one that may not be called',
    body: chat({ tools: [tool('g'), withParameters({ required: 'a' })], tool_choice: allowed('auto', 'f') }),
    ...field('tools[1].function.parameters.required', 'must be an array'),
  },
  {
    what: 'a mistake in a tool that is sent alone',
    body: chat({ tools: withParameters({ $ref: '#/$defs/a' }) }),
    ...field('tools.function.parameters.$ref', 'leads to no schema'),
  },
  {
    what: 'a schema of answers that leads out of itself',
    body: chat({ response_format: answers({ items: { $ref: 'https://example.com/a.json' } }) }),
    ...field(
      'response_format.json_schema.schema.items.$ref',
      'leads out of the schema: refer to what stands inside it ("#/$defs/…")',
    ),
  },
  {
    what: 'a schema of answers with a pattern that is none',
    body: chat({ response_format: answers({ pattern: '(?P<a>.)' }) }),
    ...field('response_format.json_schema.schema.pattern', 'must be a regular expression of ECMAScript'),
  },
  {
    what: 'a required tool without tools',
    body: chat({ tool_choice: 'required' }),
    ...field('tool_choice', 'needs "tools" beside it, or must be "auto"'),
  },
]
