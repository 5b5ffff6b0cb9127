import { expect } from 'chai'
import type { OptionsOf } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { compileOptions } from '../../src/schemas/options.js'

const serverSchema = {
  type: 'object',
  properties: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'integer', minimum: 0, maximum: 65_535, default: 8080 },
    tls: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
    limits: { type: 'object', default: {}, properties: { body: { type: 'integer', default: 1024 } } },
    dates: { enum: ['unix', 'rfc3339'], default: 'unix' },
    names: { type: 'array', items: { type: 'string' } },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const

describe('options of a JSON Schema', () => {
  const { failureOf } = useTemporaryDirectory()
  const compile = compileOptions(serverSchema)

  it('have their defaults, also the nested ones, and are frozen', () => {
    const options = compile()
    expect(options).to.deep.equal({ host: '127.0.0.1', port: 8080, limits: { body: 1024 }, dates: 'unix' })
    expect(options).to.be.frozen
    expect(options.limits).to.be.frozen
  })

  it('have the type that the schema says', () => {
    const options: OptionsOf<typeof serverSchema> = compile({ names: ['a'] })
    const host: string = options.host
    const port: number = options.port
    const dates: 'unix' | 'rfc3339' = options.dates
    const names: readonly string[] | undefined = options.names
    const key: string | undefined = options.tls?.key
    expect([host, port, dates, names, key]).to.deep.equal(['127.0.0.1', 8080, 'unix', ['a'], undefined])
  })

  it('are a copy: what is given may be frozen, and stays as it is', () => {
    const given = Object.freeze({ limits: Object.freeze({}) })
    expect(compile(given).limits.body).to.equal(1024)
    expect(given.limits).to.deep.equal({})
  })

  it('may hold what is no data, as it is', () => {
    const callback = () => 1
    const url = new URL('http://localhost')
    const options = compileOptions({ type: 'object', additionalProperties: true })({ callback, url })
    expect(options).to.deep.equal({ callback, url })
    expect(options['url']).to.equal(url)
  })

  for (const [name, port] of [
    ['5n', 5n],
    ['Symbol(x)', Symbol('x')],
  ] as const)
    it(`refuse what JSON does not have, as what it is: ${name}`, async () => {
      expect(await failureOf(() => compile({ port })))
        .to.contain('port: must be a whole number')
        .and.contain(`, but is ${name}`)
    })

  it('refuse unknown keys, nested too, unless the schema lets them in', async () => {
    const at = { path: ['server'], where: () => 'x.yaml:1:1' }
    expect(await failureOf(() => compile({ prot: 1 }, at))).to.equal(
      'config_invalid x.yaml:1:1: server.prot: unknown key: did you mean "port"?',
    )
    expect(await failureOf(() => compile({ limits: { bdoy: 1 } }))).to.equal(
      'config_invalid limits.bdoy: unknown key: did you mean "body"?',
    )
    expect(compile({ headers: { anything: 'x' } }).headers).to.deep.equal({ anything: 'x' })
    expect(compileOptions({ type: 'object', properties: {}, additionalProperties: true })({ a: 1 })).to.deep.equal({
      a: 1,
    })
    expect(await failureOf(() => compileOptions({ type: 'object' })({ a: 1 }))).to.equal(
      'config_invalid a: unknown key',
    )
  })

  describe('of schemas that are put together', () => {
    const base = { type: 'object', properties: { a: { type: 'integer', default: 1 } }, additionalProperties: false }
    const more = { type: 'object', properties: { b: { type: 'integer', default: 2 } }, required: ['c'] }
    const own = { properties: { c: { type: 'integer' } } }

    it('allOf: know the keys of all, and have all defaults', async () => {
      const check = compileOptions({ type: 'object', allOf: [base, more, own] })
      expect(check({ c: 3 })).to.deep.equal({ a: 1, b: 2, c: 3 })
      expect(await failureOf(() => check({}))).to.equal('config_invalid "c" is missing')
      expect(await failureOf(() => check({ c: 3, bb: 1 }))).to.equal(
        'config_invalid bb: unknown key: did you mean "b"?',
      )
    })

    it('allOf: the same key in two has to fit both', async () => {
      const check = compileOptions({
        type: 'object',
        allOf: [{ properties: { a: { type: 'integer', minimum: 1 } } }, { properties: { a: { minimum: 5 } } }],
      })
      expect(check({ a: 5 })).to.deep.equal({ a: 5 })
      expect(await failureOf(() => check({ a: 3 }))).to.match(/^config_invalid a: must be /)
      expect(await failureOf(() => check({ a: 'x' }))).to.match(/^config_invalid a: must be a whole number/)
    })

    it('$ref: as if it stood there', async () => {
      const check = compileOptions({
        type: 'object',
        properties: { one: { $ref: '#/$defs/item', description: 'the first' }, two: { $ref: '#/$defs/item' } },
        $defs: { item: { type: 'object', properties: { x: { $ref: '#/$defs/number' } } }, number: { type: 'number' } },
      })
      expect(check({ one: { x: 1 } })).to.deep.equal({ one: { x: 1 } })
      expect(await failureOf(() => check({ two: { y: 1 } }))).to.equal(
        'config_invalid two.y: unknown key: did you mean "x"?',
      )
    })

    it('$ref: holds together with what is beside it', async () => {
      const check = compileOptions({
        type: 'object',
        properties: {
          one: { $ref: '#/$defs/base', properties: { y: { type: 'number' } } },
          name: { $ref: '#/$defs/name', pattern: '^a' },
        },
        $defs: {
          base: { type: 'object', properties: { x: { type: 'number' } } },
          name: { type: 'string', pattern: 'b$' },
        },
      })
      expect(check({ one: { x: 1, y: 2 }, name: 'ab' })).to.deep.equal({ one: { x: 1, y: 2 }, name: 'ab' })
      expect(await failureOf(() => check({ name: 'ac' }))).to.contain('config_invalid name: must be')
      expect(await failureOf(() => check({ name: 'cb' }))).to.contain('config_invalid name: must be')
    })

    it('if and then: know the keys of the case that holds', async () => {
      const check = compileOptions({
        type: 'object',
        properties: { kind: { enum: ['a', 'b'] } },
        allOf: [
          { if: { properties: { kind: { const: 'a' } } }, then: { properties: { size: { type: 'integer' } } } },
          { if: { properties: { kind: { const: 'b' } } }, then: { properties: { colour: { type: 'string' } } } },
        ],
      })
      expect(check({ kind: 'a', size: 1 })).to.deep.equal({ kind: 'a', size: 1 })
      expect(await failureOf(() => check({ kind: 'a', colour: 'red' }))).to.equal(
        'config_invalid colour: does not go with what is beside it',
      )
      expect(await failureOf(() => check({ kind: 'a', size: 'x' }))).to.equal(
        'config_invalid size: must be a whole number, but is the text "x"',
      )
    })

    it('anyOf in a list: each item is judged by itself', async () => {
      const shape = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
      const item = { anyOf: [{ type: 'string', minLength: 2 }, shape] }
      const check = compileOptions({ type: 'object', properties: { from: { type: 'array', items: item } } })
      expect(await failureOf(() => check({ from: ['x', { path: 5 }] }))).to.contain('2 problems')
    })

    it('anyOf of types: the message is that of the type that was meant', async () => {
      const shape = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
      const check = compileOptions({ type: 'object', properties: { from: { anyOf: [{ type: 'string' }, shape] } } })
      expect(check({ from: { path: 'x' } })).to.deep.equal({ from: { path: 'x' } })
      expect(await failureOf(() => check({ from: { pth: 'x', path: 'y' } }))).to.equal(
        'config_invalid from.pth: unknown key: did you mean "path"?',
      )
      expect(await failureOf(() => check({ from: 5 }))).to.equal(
        'config_invalid from: must be a text or a map (key: value), but is 5',
      )
    })
  })

  const wrongSchemas: readonly (readonly [title: string, schema: Record<string, unknown>, message: string])[] = [
    ['a misspelt keyword', { propertes: {} }, 'strict mode: unknown keyword: "propertes"'],
    ['a type that is none', { properties: { a: { type: 'strng' } } }, 'type must be JSONType or JSONType[]: strng'],
    ['something else than a schema', { properties: { a: 5 } }, '"properties" holds 5 where a schema must be'],
    [
      'a reference to nothing',
      { properties: { a: { $ref: '#/$defs/b' } } },
      '#/$defs/b refers to nothing in the schema',
    ],
    [
      'a reference elsewhere',
      { $ref: 'https://example.com/x' },
      'https://example.com/x refers to nothing in the schema',
    ],
    [
      'a reference to itself',
      { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { properties: { c: { $ref: '#/$defs/b' } } } } },
      '#/$defs/b refers to itself',
    ],
  ]
  for (const [title, schema, message] of wrongSchemas)
    it(`cannot be checked with ${title}`, () => {
      expect(() => compileOptions({ type: 'object', ...schema })).to.throw(message)
    })
})
