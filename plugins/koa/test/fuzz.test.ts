/** Whatever a request holds, the answer is one of those that the document names, and never a failure of the server. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { testKernel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { serverFor } from './support/server.js'

interface Operation {
  requestBody: { content: { 'application/json': { schema: { properties: Record<string, object> } } } }
  responses: Record<string, unknown>
}

const runs = 40

const good: Record<string, Record<string, unknown>> = {
  '/chat/completions': {
    model: 'speaker',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    input: { pii: 'block' },
  },
  '/v1/chat/completions': { model: 'speaker', messages: 'hi', stream: true },
  '/completions': { model: 'speaker', prompt: ['a', 'b'] },
  '/responses': {
    model: 'speaker',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: { x: [1] } },
    ],
    tools: [{ type: 'function', name: 'f', parameters: {} }],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    text: { format: { type: 'text' } },
    safeguards: { pii: 'block' },
  },
  '/v1/responses': { model: 'speaker', input: 'hi', stream: true },
  '/embeddings': { model: 'toolbox', input: [{ text: 'a' }] },
  '/embedding': { model: 'toolbox', input: [[1, 2]] },
  '/v1/rerank': { model: 'toolbox', query: 'q', documents: ['a', { text: 'b' }] },
  '/v2/rerank': { model: 'toolbox', query: 'q', documents: ['a'], top_n: 1, max_tokens_per_doc: 9 },
  '/tokenize': { model: 'toolbox', input: 'a' },
  '/detokenize': { model: 'toolbox', tokens: [1] },
  '/factuality': { reference: 'a', text: 'b' },
  '/toxicity': { text: 'a' },
  '/injection': { prompt: ['a'], detect: true },
  '/PII': { prompt: 'Ann', replace: true },
  '/translate': { text: 'a', source_lang: 'en', target_lang: 'de' },
}

/** By the beginning of the path: what an error's text stands in. */
const errorOf: Readonly<Record<string, readonly [member: string, type: string]>> = {
  '/v1': ['error', 'object'],
  '/v2': ['message', 'string'],
}

/** Values that find what was not thought of. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    -0,
    true,
    [],
    {},
    [[]],
    [null],
    '\u0000',
    '\ud800',
    'constructor',
    'toString',
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A good body with one of its values, at any depth, exchanged, or with a field more. */
const mutated = (body: Record<string, unknown>, names: readonly string[]) =>
  fc
    .tuple(fc.array(fc.nat(8), { maxLength: 4 }), fc.constantFrom(...names, 'x', '__proto__', 'hasOwnProperty'), odd)
    .map(([route, name, value]) => {
      const copy = structuredClone(body)
      const [first] = route
      if (first === undefined || first % 3 === 0) return { ...copy, [name]: value }
      let at: Record<string, unknown> = copy
      for (const step of route) {
        const keys = Object.keys(at)
        const key = keys[step % Math.max(1, keys.length)]
        if (key === undefined) break
        const inner = at[key]
        if (typeof inner !== 'object' || inner === null || route.at(-1) === step) {
          at[key] = value
          break
        }
        at = inner as Record<string, unknown>
      }
      return copy
    })

describe('any body', () => {
  const server = serverFor(() => testKernel([speaker, toolbox]))
  let paths: Record<string, Record<string, Operation>>
  before(async () => {
    ;({ paths } = (await (await server.get('/openapi.json')).json()) as { paths: typeof paths })
  })

  for (const [path, body] of Object.entries(good))
    it(`gets a documented answer from ${path}`, async function () {
      this.timeout(20_000)
      const operation = paths[path]!['post']!
      const names = Object.keys(operation.requestBody.content['application/json'].schema.properties)
      const [member, type] = errorOf[path.slice(0, 3)] ?? ['error', 'string']
      const isError = new Ajv2020().compile({ type: 'object', required: [member], properties: { [member]: { type } } })
      await fc.assert(
        fc.asyncProperty(mutated(body, names), async (request) => {
          const answer = await server.post(path, request)
          const text = await answer.text()
          expect(operation.responses, text).to.have.property(String(answer.status))
          expect(answer.status, text).to.be.below(500)
          if (answer.status !== 200) expect(isError(JSON.parse(text)), text).to.equal(true)
        }),
        { numRuns: runs },
      )
    })

  it('is answered when it is no JSON at all', async function () {
    this.timeout(20_000)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        const answer = await server.post('/chat/completions', bytes)
        expect(answer.status).to.equal(400)
        expect(await answer.json())
          .to.have.property('error')
          .that.is.a('string')
      }),
      { numRuns: runs },
    )
  })

  for (const path of [
    '/v1/models/%zz',
    '/v1/models/%00',
    '/models/%',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/v1/models/..%2f..%2fetc',
    '/\u00e9',
  ])
    it(`and the path ${path} find no fault`, async () => {
      const { status } = await server.get(path)
      expect([400, 404]).to.include(status)
    })
})
