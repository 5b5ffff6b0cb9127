/** Bodies that are no JSON objects, or hostile ones, or come in a way that is refused. */

import { chat, refused } from './case.js'
import type { Case } from './case.js'

const json = (problem: string) => ({ code: 'invalid_json', message: `the body is not valid JSON: ${problem}` })

export const documents: readonly Case[] = [
  { what: 'nothing', body: '', message: 'the body is empty: send a JSON object' },
  { what: 'a list', body: '[]', message: 'the body must be a JSON object' },
  { what: 'null', body: 'null', message: 'the body must be a JSON object' },
  { what: 'a number', body: '42', message: 'the body must be a JSON object' },
  { what: 'no JSON', body: '{"model": speaker}', ...json('expected a value at line 1, column 11 (position 10)') },
  {
    what: 'a comma too many',
    body: '{\n  "model": "x",\n}',
    ...json('expected a property name at line 3, column 1 (position 18)'),
  },
  {
    what: 'half of it',
    body: '{"model": "speaker"',
    ...json('it ends too early: expected "," or the end at position 19'),
  },
  { what: 'something after it', body: '{} {}', ...json('expected the end at line 1, column 4 (position 3)') },
  {
    what: 'single quotes',
    body: "{'model': 1}",
    ...json('expected a property name or "}" at line 1, column 2 (position 1)'),
  },
  { what: 'invalid UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), ...json('it is not UTF-8') },
  { what: 'a nesting of 10,000', body: '['.repeat(10_000), message: 'the body nests deeper than 64 levels' },
  {
    what: 'a nesting of 65 in an ignored field',
    body: `{"model":"speaker","messages":"hi","x":${'['.repeat(64)}${']'.repeat(64)}}`,
    message: 'the body nests deeper than 64 levels',
  },
  refused(
    'an endless number',
    '{"model":"speaker","messages":"hi","temperature":1e999}',
    'temperature',
    'the number is too large',
  ),
  refused(
    'an endless number in an ignored field',
    `{"model":"speaker","messages":"hi","metadata":{"x":[-${'9'.repeat(400)}]}}`,
    'metadata.x[0]',
    'the number is too large',
  ),
  refused(
    '__proto__',
    '{"model":"speaker","messages":"hi","__proto__":{"admin":true}}',
    '__proto__',
    'a field of this name is not allowed',
  ),
  refused(
    '__proto__ in disguise',
    '{"model":"speaker","messages":"hi","metadata":{"\\u005f_proto__":1}}',
    'metadata.__proto__',
    'a field of this name is not allowed',
  ),
]

export const transport: readonly Case[] = [
  {
    what: 'a form',
    body: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'unsupported_media',
    message: 'the content type must be application/json',
  },
  {
    what: 'plain text, which needs no preflight',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: 'unsupported_media',
    message: 'the content type must be application/json',
  },
  {
    what: 'another character set',
    body: '{}',
    headers: { 'content-type': 'application/json; charset=utf-99' },
    status: 415,
    code: 'unsupported_media',
    message: 'the character set must be utf-8',
  },
  {
    what: 'a compressed body',
    body: '{}',
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: 'unsupported_media',
    message: 'compressed bodies are not accepted: send it without Content-Encoding',
  },
  {
    what: 'a body of 20 MB',
    body: 'x'.repeat(20 * 1024 * 1024),
    status: 413,
    code: 'payload_too_large',
    message: 'the body is larger than the limit of 4194304 bytes (server.limits.body)',
  },
  {
    what: 'an unknown model',
    body: chat({ model: '../../etc/passwd' }),
    openAiStatus: 404,
    code: 'model_not_found',
    message: 'model not found: ../../etc/passwd; available: speaker',
  },
  {
    what: 'a model without the capability',
    body: chat({ model: 'toolbox' }),
    openAiStatus: 404,
    code: 'model_not_found',
    message: 'model not found: toolbox (it exists, but does not offer chat); available: speaker',
  },
  {
    what: 'a model without the capability, by an alias',
    path: '/embeddings',
    body: { model: 'base', input: 'a' },
    openAiStatus: 404,
    code: 'model_not_found',
    message: 'model not found: base (it exists, but does not offer embedding); available: toolbox',
  },
]
