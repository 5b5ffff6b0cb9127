/** What is wrong with the schemas and tools of a request is said before a model is asked. */

import { expect } from 'chai'
import type { ChatRequest, FunctionTool } from '@sallyport/core'
import { bySchema, outcomeOf, sharedChecker, text } from './support.js'

const withTool = (parameters: unknown, more: Partial<FunctionTool> = {}): Partial<ChatRequest> => ({
  tools: [{ name: 'f', parameters, ...more }],
})

const tools = [{ name: 'f' }, { name: 'g' }]

/** n alternatives of two, each in each. */
const hydra = (heads: number) => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: heads + 1 }, (_, at) => [
      `d${at}`,
      at === heads ? { type: 'integer' } : { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${at + 1}` })) },
    ]),
  ),
})

const nested = (depth: number): object => {
  let schema = {}
  for (let level = 0; level < depth; level += 1) schema = { items: schema }
  return schema
}

const types = '"array", "boolean", "integer", "null", "number", "object" or "string"'
const seven = { $schema: 'http://json-schema.org/draft-07/schema#' }

describe('schemas and tools of a request', () => {
  const checker = sharedChecker()

  const refused: [what: string, request: Partial<ChatRequest>, message: string][] = [
    ['an unknown type', withTool({ type: 'strin' }), `tools[0].parameters.type: must be ${types}`],
    [
      'an unknown type deep inside',
      bySchema({ properties: { 'a b': { items: { type: 'strin' } } } }),
      `responseFormat.schema.properties["a b"].items.type: must be ${types}`,
    ],
    ['a keyword of a wrong type', withTool({ required: 'a' }), 'tools[0].parameters.required: must be an array'],
    [
      'a negative length',
      withTool({ minLength: -1 }),
      'tools[0].parameters.minLength: must be an integer from 0 upwards',
    ],
    [
      'a list of types of items, which draft 7 had',
      withTool({ items: [{ type: 'string' }] }),
      'tools[0].parameters.items: must be an object or true or false',
    ],
    ['a name twice', withTool({ required: ['a', 'a'] }), 'tools[0].parameters.required: must have no item twice'],
    ['a text', withTool('string'), 'tools[0].parameters: must be a JSON Schema: an object, or true or false'],
    [
      'what JSON does not have',
      withTool({ default: 1n }),
      'tools[0].parameters: must be a JSON Schema: it holds what JSON does not have',
    ],
    ['a reference to nowhere', withTool({ $ref: '#/$defs/a' }), 'tools[0].parameters.$ref: leads to no schema'],
    [
      'a reference to a text',
      withTool({ $ref: '#/title', title: 'a' }),
      'tools[0].parameters.$ref: leads to no schema',
    ],
    [
      'a reference out of the document',
      withTool({ properties: { a: { $ref: 'https://example.com/a' } } }),
      'tools[0].parameters.properties.a.$ref: leads out of the schema: refer to what is inside it ("#/$defs/…")',
    ],
    [
      'a file',
      withTool({ $ref: 'file:///etc/passwd' }),
      'tools[0].parameters.$ref: leads out of the schema: refer to what is inside it ("#/$defs/…")',
    ],
    ['a reference to itself', withTool({ $ref: '#' }), 'tools[0].parameters.$ref: leads only to itself'],
    [
      'references round in a circle',
      withTool({ allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#/allOf/0' }] } } }),
      'tools[0].parameters.$defs.a.anyOf[0].$ref: leads only to itself',
    ],
    [
      'a pattern that is none',
      withTool({ properties: { a: { pattern: '(?P<a>.)' } } }, { strict: true }),
      'tools[0].parameters.properties.a.pattern: must be a regular expression of ECMAScript',
    ],
    [
      'a pattern that is none, where only a reference leads',
      bySchema({ $ref: '#/x', x: { type: 'string', pattern: '(' } }),
      'responseFormat.schema.x.pattern: must be a regular expression of ECMAScript',
    ],
    [
      'a pattern that takes long to compile',
      bySchema({ type: 'string', pattern: '(x?)'.repeat(5000) }),
      'responseFormat.schema.pattern: is longer than 4000 characters: make the pattern shorter',
    ],
    ['no value to choose from', bySchema({ enum: [] }), 'responseFormat.schema.enum: must have at least one value'],
    [
      'a depth of 100,000',
      withTool(nested(100_000)),
      'tools[0].parameters: nests deeper than 64 levels: make it smaller',
    ],
    [
      'ten million characters',
      bySchema({ description: 'x'.repeat(10_000_000) }),
      'responseFormat.schema: has more than 500000 characters, with the other schemas of the request: make it smaller',
    ],
    [
      'a million values',
      bySchema({ enum: Array.from({ length: 1_000_000 }, (_, at) => at) }),
      'responseFormat.schema: has more than 20000 names and values, with the other schemas of the request: make it smaller',
    ],
    [
      'many schemas that are too large together',
      {
        tools: Array.from({ length: 30 }, (_, at) => ({
          name: `f${at}`,
          parameters: { enum: Array.from({ length: 1000 }, (_, value) => value) },
        })),
      },
      'tools[9].parameters: has more than 20000 names and values, with the other schemas of the request: make it smaller',
    ],
    [
      'two tools of one name',
      { tools: [...tools, { name: 'f' }] },
      'tools[2].name: must differ from the names of the other tools',
    ],
    [
      'the choice of a missing tool',
      { tools, toolChoice: { names: ['f', 'h'] } },
      'toolChoice.names[1]: must be the name of one of the tools: f, g',
    ],
    ['the choice of no tool', { tools, toolChoice: { names: [] } }, 'toolChoice.names: must have the name of a tool'],
    [
      'a required tool without tools',
      { toolChoice: 'required' },
      'toolChoice: without "tools" must be "auto" or "none"',
    ],
  ]
  for (const [what, request, message] of refused)
    it(`are refused for ${what}`, async () => {
      const { error, left } = await outcomeOf(checker.current, request, text('hi'))
      expect(error).to.equal(`invalid_request: ${message}`)
      expect(left).to.deep.equal([])
    })

  const taken: [what: string, schema: unknown][] = [
    ['nothing', {}],
    ['true', true],
    ['keywords that nobody knows', { type: 'object', 'x-order': { type: 'strin' }, discriminator: 1 }],
    ["OpenAPI's nullable without a type", { nullable: true, anyOf: [{ type: 'string' }] }],
    ["another draft's id", { id: 'a', properties: { id: { type: 'string' } } }],
    ['an unknown format', { format: 'phone' }],
    ['a reference to what is around it', { properties: { next: { $ref: '#' } } }],
    [
      'references by name and by address',
      {
        $id: 'https://example.com/a.json',
        properties: { a: { $ref: 'b.json' }, b: { $ref: 'b.json#/$defs/c' }, c: { $ref: '#named' } },
        $defs: { b: { $id: 'b.json', type: 'string', $defs: { c: { type: 'integer' } } }, d: { $anchor: 'named' } },
      },
    ],
    ['draft 7 by its name', { ...seven, items: [{ type: 'string' }], definitions: { a: {} }, $ref: '#/definitions/a' }],
    ['a pattern with needless escapes', { pattern: 'a\\-b' }],
    ['members of the prototype as names', { properties: { toString: {}, constructor: {} }, required: ['toString'] }],
  ]
  for (const [what, schema] of taken)
    it(`may hold ${what}`, async () => {
      for (const strict of [true, false]) {
        const { error } = await outcomeOf(checker.current, withTool(schema, { strict }), text('hi'))
        expect(error).to.equal(undefined)
      }
    })

  it('may hold alternatives without end, unless answers must be checked against them', async () => {
    expect((await outcomeOf(checker.current, withTool(hydra(40)), text('hi'))).error).to.equal(undefined)
    const { error, left } = await outcomeOf(checker.current, bySchema(hydra(40)), text('"x"'))
    expect(error).to.contain(
      'invalid_request: responseFormat.schema: is too complex to check answers against it in time',
    )
    expect(left).to.deep.equal([{ delta: '"x"' }])
  })

  it('are looked at where a pattern takes for ever, and others are then, too', async () => {
    const said = JSON.stringify(`${'a'.repeat(40)}!`)
    const slow = outcomeOf(checker.current, bySchema({ pattern: '^(\\w+\\s?)*$' }), text(said))
    const others = [1, 2, 3].map((maximum) => outcomeOf(checker.current, bySchema({ maximum }), text('1')))
    for (const { error } of await Promise.all(others)) expect(error).to.equal(undefined)
    expect((await slow).error).to.contain('is too complex')
  })
})
