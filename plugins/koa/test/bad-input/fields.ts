/** Fields of chat requests. */

import { notAnImage } from '@sallyport/kit/image-format'
import { chat, refused } from './case.js'
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
  refused('no model', { messages: 'hi' }, 'model', `is required: give ${modelAllowed}`),
  refused('null as a model', chat({ model: null }), 'model', `is required: give ${modelAllowed}`),
  refused('a number as a model', chat({ model: 1 }), 'model', `must be ${modelAllowed}`),
  refused('a model name of 10 KB', chat({ model: 'm'.repeat(10_000) }), 'model', `must be ${modelAllowed}`),
  refused('no messages', { model: 'speaker' }, 'messages', `is required: give ${messagesAllowed}`),
  refused('empty messages', chat({ messages: [] }), 'messages', `must be ${messagesAllowed}`),
  refused('an empty string as messages', chat({ messages: '' }), 'messages', `must be ${messagesAllowed}`),
  refused('an object as messages', chat({ messages: {} }), 'messages', `must be ${messagesAllowed}`),
  refused('null among the messages', chat({ messages: [null] }), 'messages[0]', 'must be an object {role, content}'),
  refused(
    'an unknown role',
    said({ role: 'robot', content: 'hi' }),
    'messages[0].role',
    'must be "system", "developer", "user", "assistant", "tool" or "function"',
  ),
  refused(
    'no content',
    said({ role: 'user' }),
    'messages[0].content',
    'is required: give a string or a non-empty array of parts',
  ),
  refused(
    'null as content without tool calls',
    said({ role: 'assistant', content: null }),
    'messages[0].content',
    'is required: give a string or a non-empty array of parts',
  ),
  refused(
    'a tool message without an id',
    said({ role: 'tool', content: '1' }),
    'messages[0].tool_call_id',
    'is required: give the id of the tool call that this message answers',
  ),
  refused(
    'an unknown part',
    said({ role: 'user', content: [{ type: 'video' }] }),
    'messages[0].content[0].type',
    'must be "text" or "image_url"',
  ),
  refused(
    'a text part without text',
    said({ role: 'user', content: [{ type: 'text' }] }),
    'messages[0].content[0].text',
    'is required: give a string',
  ),
  refused(
    'an image to fetch',
    image('https://example.com/a.png'),
    'messages[0].content[0].image_url.url',
    'image URLs are not fetched: send the image as a data: URI, or set server.fetch.images',
  ),
  refused(
    'an image of a local file',
    image('file:///etc/passwd'),
    'messages[0].content[0].image_url.url',
    'has an unsupported URL scheme: send the image as a data: URI',
  ),
  refused(
    'an SVG labelled as png',
    image(`data:image/png;base64,${svg}`),
    'messages[0].content[0].image_url.url',
    notAnImage,
  ),
  refused(
    'an image that is not base64',
    image('data:image/png;base64,§§'),
    'messages[0].content[0].image_url.url',
    'is not base64',
  ),
  refused(
    'an image for a model that sees nothing',
    image(`data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`),
    'messages',
    'the model speaker reads no images; no loaded one does',
    { code: 'unsupported' },
  ),
  refused('a temperature above its range', chat({ temperature: 2.1 }), 'temperature', 'must be a number from 0 to 2'),
  refused('a temperature as text', chat({ temperature: '1' }), 'temperature', 'must be a number from 0 to 2'),
  refused('top_p above 1', chat({ top_p: 1.5 }), 'top_p', 'must be a number from 0 to 1'),
  refused(
    'a penalty below its range',
    chat({ presence_penalty: -2.5 }),
    'presence_penalty',
    'must be a number from -2 to 2',
  ),
  refused('n of 0', chat({ n: 0 }), 'n', 'must be an integer from 1 to 16'),
  refused('n of 17', chat({ n: 17 }), 'n', 'must be an integer from 1 to 16'),
  refused('a fraction of tokens', chat({ max_tokens: 1.5 }), 'max_tokens', 'must be an integer from 1 to 2147483647'),
  refused('stream as text', chat({ stream: 'true' }), 'stream', 'must be true or false'),
  refused(
    'an unknown reasoning effort',
    chat({ reasoning_effort: 'extreme' }),
    'reasoning_effort',
    'must be "low", "medium" or "high"',
  ),
  refused(
    'a bias above its range',
    chat({ logit_bias: { 5: 101 } }),
    'logit_bias.5',
    'must be an integer from -100 to 100',
  ),
  refused('null as a bias', chat({ logit_bias: { 5: null } }), 'logit_bias.5', 'must be an integer from -100 to 100'),
  refused(
    'a bias of a word',
    chat({ logit_bias: { word: 1 } }),
    'logit_bias',
    'must be an object whose keys are token ids',
  ),
  refused('an empty stop sequence', chat({ stop: '' }), 'stop', `must be ${stopAllowed}`),
  refused(
    'too many stop sequences',
    chat({ stop: Array.from({ length: 17 }, () => 'x') }),
    'stop',
    `must be ${stopAllowed}`,
  ),
  refused(
    'null among the stop sequences',
    chat({ stop: [null] }),
    'stop[0]',
    'must be a string of 1 to 256 characters',
  ),
  refused('top_logprobs alone', chat({ top_logprobs: 2 }), 'top_logprobs', 'needs "logprobs": true beside it'),
  refused(
    'a response format without its schema',
    chat({ response_format: { type: 'json_schema' } }),
    'response_format.json_schema',
    'is required for the type "json_schema": give an object {name, schema, strict}',
  ),
  refused(
    'a tool of another type',
    chat({ tools: [{ type: 'retrieval', function: { name: 'f' } }] }),
    'tools[0].type',
    'must be "function"',
  ),
  refused(
    'two tools of one name',
    chat({ tools: [tool('f'), tool('f')] }),
    'tools[1].function.name',
    'must differ from the names of the other tools',
  ),
  refused(
    'the choice of a tool that is not there',
    chat({ tools: [tool('f')], tool_choice: tool('g') }),
    'tool_choice.function.name',
    'must be the name of one of the tools: f',
  ),
  refused(
    'an unknown tool choice',
    chat({ tools: [tool('f')], tool_choice: 'maybe' }),
    'tool_choice',
    'must be "none", "auto", "required", "any", or an object {type: "function", function: {name}} or {type: "allowed_tools", allowed_tools: {mode, tools}}',
  ),
  refused(
    'a tool choice of another type',
    chat({ tools: [tool('f')], tool_choice: { type: 'custom', custom: { name: 'f' } } }),
    'tool_choice.type',
    'must be "function" or "allowed_tools"',
  ),
  refused(
    'a tool choice without its function',
    chat({ tools: [tool('f')], tool_choice: { type: 'function', name: 'f' } }),
    'tool_choice.function',
    'is required: give an object {name}',
  ),
  refused(
    'allowed tools without a list',
    chat({ tools: [tool('f')], tool_choice: { type: 'allowed_tools' } }),
    'tool_choice.allowed_tools',
    'is required: give an object {mode, tools}',
  ),
  refused(
    'allowed tools without a mode',
    chat({ tools: [tool('f')], tool_choice: { type: 'allowed_tools', allowed_tools: { tools: [tool('f')] } } }),
    'tool_choice.allowed_tools.mode',
    'is required: give "auto" or "required"',
  ),
  ...(['auto', 'required'] as const).map((mode) =>
    refused(
      `allowed tools of the mode ${mode} that are not all there`,
      chat({ tools: [tool('f')], tool_choice: allowed(mode, 'f', 'g') }),
      'tool_choice.allowed_tools.tools[1].function.name',
      'must be the name of one of the tools: f',
    ),
  ),
  refused(
    'allowed tools without tools',
    chat({ tool_choice: allowed('auto', 'f') }),
    'tool_choice.allowed_tools.tools[0].function.name',
    'must be the name of one of the tools: there are none',
  ),
  refused(
    'a tool whose parameters are no schema',
    chat({ tools: [withParameters({ type: 'object', properties: { a: { type: 'strin' } } })] }),
    'tools[0].function.parameters.properties.a.type',
    'must be "array", "boolean", "integer", "null", "number", "object" or "string"',
  ),
  refused(
    'a mistake in a tool behind one that may not be called',
    chat({ tools: [tool('g'), withParameters({ required: 'a' })], tool_choice: allowed('auto', 'f') }),
    'tools[1].function.parameters.required',
    'must be an array',
  ),
  refused(
    'a mistake in a tool that is sent alone',
    chat({ tools: withParameters({ $ref: '#/$defs/a' }) }),
    'tools.function.parameters.$ref',
    'leads to no schema',
  ),
  refused(
    'a schema of answers that leads out of itself',
    chat({ response_format: answers({ items: { $ref: 'https://example.com/a.json' } }) }),
    'response_format.json_schema.schema.items.$ref',
    'leads out of the schema: refer to what is inside it ("#/$defs/…")',
  ),
  refused(
    'a schema of answers with a pattern that is none',
    chat({ response_format: answers({ pattern: '(?P<a>.)' }) }),
    'response_format.json_schema.schema.pattern',
    'must be a regular expression of ECMAScript',
  ),
  refused(
    'a required tool without tools',
    chat({ tool_choice: 'required' }),
    'tool_choice',
    'without "tools" must be "auto" or "none"',
  ),
]
