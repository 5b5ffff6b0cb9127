import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { ownKeywords } from '../src/schemas/schema.js'
import type { Schema } from '../src/schemas/schema.js'
import { pathsOf } from '../src/app.js'
import { completeOptions } from '../src/options.js'
import { routeTable, servedRoutes } from '../src/routes/index.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { withServer } from './support/server.js'

interface Document {
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { schema: { properties: Record<string, Schema> } }> }
  responses: Record<string, Content>
  security: object[]
}

interface Content {
  content?: Record<string, { schema: object }>
}

const { limits } = completeOptions({})

/** A request for each route. */
const bodies: Record<string, object> = {
  '/chat/completions': { model: 'speaker', messages: 'hi', n: 2 },
  '/v1/chat/completions': { model: 'speaker', messages: 'hi' },
  '/completions': { model: 'speaker', prompt: 'hi' },
  '/responses': { model: 'speaker', input: 'hi' },
  '/v1/responses': { model: 'speaker', input: 'hi' },
  '/embeddings': { model: 'toolbox', input: 'hi' },
  '/embedding': { model: 'toolbox', input: 'hi' },
  '/rerank': { model: 'toolbox', query: 'q', documents: ['a'] },
  '/v1/rerank': { model: 'toolbox', query: 'q', documents: ['a'], return_documents: true },
  '/v2/rerank': { model: 'toolbox', query: 'q', documents: ['a'], max_tokens_per_doc: 9 },
  '/tokenize': { model: 'toolbox', input: 'hi' },
  '/detokenize': { model: 'toolbox', tokens: [1] },
  '/factuality': { reference: 'a', text: 'b' },
  '/toxicity': { text: 'b' },
  '/v1/moderations': { input: 'b' },
  '/injection': { prompt: 'a', detect: true },
  '/PII': { prompt: 'Ann', replace: false },
  '/translate': { text: 'a', source_lang: 'en', target_lang: 'de' },
}

const documentOf = async (models: TestModel[]): Promise<Document> => {
  let document: unknown
  await withServer(await testKernel(models), {}, async ({ url }) => {
    document = await (await fetch(`${url}/openapi.json`)).json()
  })
  return document as Document
}

const operations = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))

describe('the OpenAPI document', () => {
  let whole: Document
  before(async () => {
    whole = await documentOf([speaker, toolbox])
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...whole })
    expect(valid, JSON.stringify(errors)).to.equal(true)
  })

  it('holds every served route in each of its dialects, and no other', async () => {
    const served = servedRoutes(routeTable, (await testKernel([speaker, toolbox])).capabilities).flatMap((route) =>
      pathsOf(route).map((path) => `${route.method} ${path.replace(/[:*](\w+)/g, '{$1}')}`),
    )
    expect(operations(whole)).to.have.members(served)
    expect(served).to.include.members(['POST /chat/completions', 'POST /v1/chat/completions', 'GET /v1/models/{id}'])
  })

  it('leaves out what nothing provides', async () => {
    const paths = operations(await documentOf([{ id: 'talker', services: { chat: speaker.services.chat! } }]))
    expect(paths).to.include('POST /chat/completions')
    for (const absent of ['POST /completions', 'POST /embeddings', 'POST /PII']) expect(paths).not.to.include(absent)
  })

  it('tells to GET a path only where that is served', () => {
    const told = Object.entries(whole.paths).filter(([, { post }]) =>
      JSON.stringify(post?.requestBody ?? {}).includes('GET the same path'),
    )
    expect(told).to.have.length.above(5)
    expect(told.filter(([, { get }]) => !get).map(([path]) => path)).to.deep.equal([])
  })

  it('asks for a key everywhere but on the open paths', () => {
    const open = Object.entries(whole.paths)
      .filter(([, item]) => Object.values(item).every(({ security }) => security.length === 0))
      .map(([path]) => path)
    expect(open).to.have.members(['/', '/healthz', '/readyz', '/readiness', '/openapi.json'])
  })

  it('names each operation once', () => {
    const names = Object.values(whole.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(names).size).to.equal(names.length)
  })

  it('is made of valid schemas', () => {
    const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, validateFormats: false })
    ajv.addVocabulary([...ownKeywords])
    for (const { schemas } of routeTable)
      for (const schema of Object.values(schemas?.({ ...limits, checks: new Map() }) ?? {}))
        if (typeof schema === 'object') expect(() => ajv.compile(schema as object)).not.to.throw()
  })

  it('declares what stands for absent fields, and nothing else that is refused', async function () {
    this.timeout(20_000)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    await withServer(await testKernel([speaker, toolbox]), {}, async ({ post }) => {
      for (const [path, body] of Object.entries(bodies)) {
        const { schema } = whole.paths[path]!['post']!.requestBody!.content['application/json']!
        const validate = ajv.compile(schema)
        for (const [name, property] of Object.entries(schema.properties))
          for (const value of property['x-empty-is-absent'] ? [null, ''] : [null]) {
            const asked = { ...body, [name]: value }
            const { status } = await post(path, asked)
            expect(validate(asked), `${path} ${JSON.stringify(asked)} is ${status}`).to.equal(status === 200)
          }
      }
    })
    const { properties } = whole.paths['/completions']!['post']!.requestBody!.content['application/json']!.schema
    const validate = ajv.compile(properties['input']!)
    for (const [input, isDeclared] of [
      [{ pii: '', pii_replace_method: null, entity_list: null }, true],
      [{ entity_list: [null] }, false],
      [{ entity_list: '' }, false],
    ] as const)
      expect(validate(input), JSON.stringify(input)).to.equal(isDeclared)
  })

  it('describes the answers that are given', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const kernel = await testKernel([speaker, toolbox])
    const check = (text: string, path: string, method: string, media: string) => {
      const { schema } = whole.paths[path]![method]!.responses['200']!.content![media]!
      const validate = ajv.compile(schema)
      expect(validate(JSON.parse(text)), `${path}: ${ajv.errorsText(validate.errors)} in ${text}`).to.equal(true)
    }
    await withServer(kernel, {}, async ({ post, get }) => {
      for (const [path, body] of Object.entries(bodies))
        check(await (await post(path, body)).text(), path, 'post', 'application/json')
      for (const path of ['/models', '/v1/models', '/completions', '/mcp_servers', '/mcp_tools', '/healthz', '/readyz'])
        check(await (await get(path)).text(), path, 'get', 'application/json')
      for (const path of ['/chat/completions', '/v1/chat/completions', '/completions', '/responses', '/v1/responses']) {
        const streamed = await (
          await post(path, { ...bodies[path], stream: true, stream_options: { include_usage: true } })
        ).text()
        const lines = streamed.split('\n').filter((line) => line.startsWith('data: {'))
        expect(lines).not.to.be.empty
        for (const line of lines) check(line.slice('data: '.length), path, 'post', 'text/event-stream')
      }
    })
  })
})
