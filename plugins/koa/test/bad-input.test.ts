/** What must be refused, in both dialects, with its status and its exact words. */

import { expect } from 'chai'
import { FakeKernel } from './support/fake-kernel.js'
import { speaker, toolbox } from './support/models.js'
import { startServer } from './support/server.js'
import type { TestServer } from './support/server.js'

interface Case {
  readonly what: string
  /** The JSON body, or text or bytes as they are. */
  readonly body: unknown
  readonly message: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly status?: number
  /** Where OpenAI's is another one. */
  readonly openAiStatus?: number
  readonly code?: string
  readonly field?: string
}

const chat = (fields: object) => ({ model: 'speaker', messages: 'hi', ...fields })
const said = (message: object) => ({ model: 'speaker', messages: [message] })
const image = (url: string) => said({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })
const tool = (name: string) => ({ type: 'function', function: { name } })

const messagesAllowed = 'a non-empty string or a non-empty array of messages {role, content}'
const modelAllowed = 'the name of a model (a string of 1 to 256 characters)'
const stopAllowed = 'a non-empty string or an array of at most 16 of them, each of at most 256 characters'
const placed = (field: string, place: string) => ({
  field,
  message: `${field}: is no field here: use ${place} for this safeguard`,
})
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')

const field = (name: string, problem: string) => ({ field: name, message: `${name}: ${problem}` })
const json = (problem: string) => ({ code: 'invalid_json', message: `the body is not valid JSON: ${problem}` })

const fields: readonly Case[] = [
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
    ...field('messages[0].role', 'must be one of "system", "developer", "user", "assistant", "tool", "function"'),
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
    ...field('messages[0].content[0].type', 'must be one of "text", "image_url"'),
  },
  {
    what: 'a text part without text',
    body: said({ role: 'user', content: [{ type: 'text' }] }),
    ...field('messages[0].content[0].text', 'is required: give a string'),
  },
  {
    what: 'an image to fetch',
    body: image('https://example.com/a.png'),
    ...field('messages[0].content[0].image_url.url', 'addresses are not fetched: send the picture as a data: URI'),
  },
  {
    what: 'an image of a local file',
    body: image('file:///etc/passwd'),
    ...field('messages[0].content[0].image_url.url', 'addresses are not fetched: send the picture as a data: URI'),
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
    ...field('reasoning_effort', 'must be one of "low", "medium", "high"'),
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
    ...field('stop[0]', 'must be a non-empty string of at most 256 characters'),
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
    ...field('tools[0].type', 'must be one of "function"'),
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
      'must be "none", "auto", "required", "any", or an object {type: "function", function: {name}}',
    ),
  },
  {
    what: 'a required tool without tools',
    body: chat({ tool_choice: 'required' }),
    ...field('tool_choice', 'needs "tools" beside it, or must be "auto"'),
  },
]

const safeguards: readonly Case[] = [
  {
    what: 'an unknown value of a safeguard',
    body: chat({ input: { pii: 'maybe' } }),
    ...field('input.pii', 'must be one of "block", "replace"'),
  },
  {
    what: 'a misspelt safeguard',
    body: chat({ input: { block_injection: true } }),
    ...field(
      'input.block_injection',
      'is unknown: there are block_prompt_injection, pii, pii_replace_method, entity_list',
    ),
  },
  {
    what: 'an input safeguard under output',
    body: chat({ output: { pii: 'block' } }),
    ...field('output.pii', 'is unknown: there are factuality, toxicity'),
  },
  {
    what: 'a safeguard as text',
    body: chat({ output: { toxicity: 'yes' } }),
    ...field('output.toxicity', 'must be true or false'),
  },
  { what: 'safeguards on chat', body: chat({ safeguards: {} }), ...placed('safeguards', 'input and output') },
  { what: 'pii beside messages', body: chat({ pii: 'block' }), ...placed('pii', 'input.pii') },
  { what: 'toxicity beside messages', body: chat({ toxicity: true }), ...placed('toxicity', 'output.toxicity') },
  { what: 'a misspelt container', body: chat({ saveguards: {} }), ...placed('saveguards', 'input and output') },
  { what: 'a letter too many', body: chat({ inputs: {} }), ...placed('inputs', 'input') },
  { what: 'two letters exchanged', body: chat({ ouptut: {} }), ...placed('ouptut', 'output') },
  { what: 'another case', body: chat({ PII: 'block' }), ...placed('PII', 'input.pii') },
  {
    what: 'a safeguard where there are none',
    path: '/embeddings',
    body: { model: 'toolbox', input: 'x', pii: 'block' },
    ...field('pii', 'this request takes no safeguard options'),
  },
]

const documents: readonly Case[] = [
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
  {
    what: 'an endless number',
    body: '{"model":"speaker","messages":"hi","temperature":1e999}',
    ...field('temperature', 'the number is too large'),
  },
  {
    what: 'an endless number in an ignored field',
    body: `{"model":"speaker","messages":"hi","metadata":{"x":[-${'9'.repeat(400)}]}}`,
    ...field('metadata.x[0]', 'the number is too large'),
  },
  {
    what: '__proto__',
    body: '{"model":"speaker","messages":"hi","__proto__":{"admin":true}}',
    ...field('__proto__', 'a field of this name is not allowed'),
  },
  {
    what: '__proto__ in disguise',
    body: '{"model":"speaker","messages":"hi","metadata":{"\\u005f_proto__":1}}',
    ...field('metadata.__proto__', 'a field of this name is not allowed'),
  },
]

const transport: readonly Case[] = [
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
    message: 'the body is larger than the limit of 4194304 bytes',
  },
  {
    what: 'an unknown model',
    body: chat({ model: '../../etc/passwd' }),
    openAiStatus: 404,
    code: 'model_not_found',
    message: 'model not found: ../../etc/passwd; available: speaker',
  },
]

const otherRoutes: readonly Case[] = [
  {
    what: 'an empty prompt',
    path: '/completions',
    body: { model: 'speaker', prompt: '' },
    ...field('prompt', 'must be a non-empty string or an array of 1 to 128 non-empty strings'),
  },
  {
    what: 'a prompt of token ids',
    path: '/completions',
    body: { model: 'speaker', prompt: [1, 2] },
    ...field('prompt[0]', 'must be a non-empty string'),
  },
  {
    what: 'echo with log-probabilities',
    path: '/completions',
    body: { model: 'speaker', prompt: 'x', echo: true, logprobs: 1 },
    ...field('echo', 'must not be true beside "logprobs": the log-probabilities of the prompt are not known'),
  },
  {
    what: 'no input',
    path: '/embeddings',
    body: { model: 'toolbox', input: [] },
    ...field(
      'input',
      'must be a non-empty string, or a non-empty array of strings, of token ids (one input), of arrays of token ids, or of objects {text, image}; at most 16384 inputs',
    ),
  },
  {
    what: 'an empty input',
    path: '/embeddings',
    body: { model: 'toolbox', input: [''] },
    ...field(
      'input[0]',
      'must be a non-empty string, a token id, a non-empty array of token ids, or an object {text, image}',
    ),
  },
  {
    what: 'an input of nothing',
    path: '/embeddings',
    body: { model: 'toolbox', input: [{ text: '', image: null }] },
    ...field('input[0]', 'must have a text, an image, or both'),
  },
  {
    what: 'token ids among texts',
    path: '/embeddings',
    body: { model: 'toolbox', input: ['a', 1] },
    ...field('input', 'must not mix token ids with other inputs'),
  },
  {
    what: 'two directions',
    path: '/embeddings',
    body: { model: 'toolbox', input: 'a', truncation_direction: 'Left', truncate_direction: 'Right' },
    ...field('truncate_direction', 'must not differ from truncation_direction: give one of them'),
  },
  {
    what: 'no documents',
    path: '/rerank',
    body: { model: 'toolbox', query: 'a', documents: [] },
    ...field('documents', 'must be an array of 1 to 16384 strings'),
  },
]

const cases = [...fields, ...safeguards, ...documents, ...transport, ...otherRoutes]

describe('bad input', () => {
  let server: TestServer
  before(async () => {
    server = await startServer(new FakeKernel([speaker, toolbox]))
  })
  after(() => server.stop())

  for (const { what, body, message, path = '/chat/completions', ...expected } of cases) {
    const { headers, status = 400, openAiStatus = status, code = 'invalid_request', field: param = null } = expected

    it(`refuses ${what}`, async () => {
      const answer = await server.post(path, body, headers)
      expect(await answer.json()).to.deep.equal({ error: message })
      expect(answer.status).to.equal(status)
      expect(answer.headers.get('content-type')).to.equal('application/json')
      expect(answer.headers.get('x-request-id')).to.be.a('string')
    })

    it(`refuses ${what} under /v1`, async () => {
      const answer = await server.post(`/v1${path}`, body, headers)
      const type = 'invalid_request_error'
      expect(await answer.json()).to.deep.equal({ error: { message, type, code, param } })
      expect(answer.status).to.equal(openAiStatus)
      expect(answer.headers.get('content-type')).to.equal('application/json')
    })
  }

  it('goes on serving afterwards', async () => {
    expect((await server.post('/chat/completions', chat({}))).status).to.equal(200)
  })

  for (const [method, path] of [
    ['PUT', '/chat/completions'],
    ['DELETE', '/v1/completions'],
    ['OPTIONS', '/rerank'],
  ] as const)
    it(`answers ${method} ${path} with 405 and what is allowed`, async () => {
      const answer = await server.send(method, path)
      expect(answer.status).to.equal(405)
      expect(answer.headers.get('allow')).to.equal('GET, HEAD, POST')
      expect(JSON.stringify(await answer.json())).to.contain(
        `the method ${method} is not allowed here: use GET, HEAD, POST`,
      )
    })

  it('answers an unknown path with 404 in the dialect of the path', async () => {
    const answer = await server.get('/nowhere')
    expect(answer.status).to.equal(404)
    expect(await answer.json()).to.deep.equal({ error: 'no route: GET /nowhere; see /openapi.json for what there is' })
    const v1 = await server.get('/v1/nowhere')
    expect(v1.status).to.equal(404)
    expect(await v1.json()).to.have.nested.property('error.code', 'route_not_found')
  })

  for (const [method, path, capability] of [
    ['POST', '/responses', 'responses'],
    ['GET', '/v1/responses', 'responses'],
    ['POST', '/audio/transcriptions', 'transcription'],
    ['POST', '/documents/extract', 'extraction'],
    ['GET', '/mcp_servers', 'tools'],
    ['GET', '/mcp_tools', 'tools'],
    ['POST', '/v1/moderations', 'moderation'],
  ] as const)
    it(`answers ${method} ${path} with 404 and the capability that is missing`, async () => {
      const answer = await server.send(method, path)
      expect(answer.status).to.equal(404)
      expect(JSON.stringify(await answer.json())).to.contain(`the capability \\"${capability}\\"`)
    })
})
