import { isSallyportError } from '@sallyport/core'
import { expect } from 'chai'
import { compile } from './support.js'

const problemOf = (schema: unknown, strict = false): string => {
  try {
    compile(schema, strict)
  } catch (error) {
    if (isSallyportError(error) && error.code === 'invalid_request') return error.message
    throw error
  }
  return 'none'
}

const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown = {}): unknown => {
  let schema = inner
  for (let level = 0; level < levels; level += 1) schema = wrap(schema)
  return schema
}

const numbered = <Value>(count: number, value: (index: number) => Value, prefix = 'key'): Record<string, Value> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value(index)]))

const list = <Value>(length: number, value: (index: number) => Value): Value[] =>
  Array.from({ length }, (_, index) => value(index))

describe('schemas that are wrong', () => {
  const wrong: Readonly<Record<string, readonly [schema: unknown, problem: RegExp]>> = {
    'a reference to nothing': [{ $ref: '#/$defs/a' }, /\$ref leads to nothing/],
    'a reference out of the document': [{ $ref: 'https://example.com/schema' }, /\$ref leads out of the document/],
    'a reference to itself': [{ $ref: '#' }, /leads only to itself/],
    'references in a circle': [{ $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#' }] } } }, /leads only to itself/],
    'no value that fits': [{ type: 'string', enum: [1] }, /at \$: no finite value fits/],
    'no value of a property that has to be there': [
      { type: 'object', properties: { b: true, a: { type: 'string', enum: [1] } }, required: ['b', 'a'] },
      /at \$\.properties\.a: no finite value fits/,
    ],
    'no item at a place': [
      { type: 'array', prefixItems: [true, { minimum: 3, maximum: 2, type: 'integer' }], minItems: 2 },
      /at \$\.prefixItems\[1\]: no finite value fits/,
    ],
    'no end': [{ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, /at \$: no finite value fits/],
    'no end inside': [
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/b' } },
        required: ['a'],
        $defs: { b: { type: 'array', minItems: 1, items: { $ref: '#/$defs/b' } } },
      },
      /at \$\.properties\.a: no finite value fits/,
    ],
    'no schema': ['text', /is not a schema/],
  }
  for (const [name, [schema, problem]] of Object.entries(wrong)) {
    it(name, () => expect(problemOf(schema)).to.match(problem))
  }
})

describe('keywords that no grammar enforces', () => {
  const unheld: Readonly<Record<string, readonly [schema: object, path: string]>> = {
    uniqueItems: [{ properties: { tags: { type: 'array', uniqueItems: true } } }, '$.properties.tags'],
    contains: [{ contains: { type: 'string' } }, '$'],
    format: [{ $defs: { a: { format: 'regex' } }, items: { $ref: '#/$defs/a' } }, '$.$defs.a'],
    pattern: [{ pattern: '^(?=a)' }, '$'],
    oneOf: [{ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }, '$'],
    if: [{ if: { type: 'string' }, then: { minLength: 3 } }, '$'],
    not: [{ not: { minLength: 3 } }, '$'],
    multipleOf: [{ type: 'integer', multipleOf: 5 }, '$'],
    minProperties: [{ properties: { 'a b': { properties: { a: {} }, minProperties: 2 } } }, '$.properties["a b"]'],
    maxProperties: [{ properties: { a: {}, b: {} }, maxProperties: 1 }, '$'],
    $ref: [{ $ref: '#/$defs/a', $defs: { a: { $id: 'a' } } }, '$'],
    $dynamicRef: [{ $dynamicRef: '#a', $defs: { x: { $dynamicAnchor: 'a' } } }, '$'],
    dependentRequired: [{ dependentRequired: { a: ['b'] } }, '$'],
    unevaluatedProperties: [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, '$'],
  }
  for (const [keyword, [schema, path]] of Object.entries(unheld)) {
    it(`${keyword}: refused if strict, left out and named if not`, () => {
      expect(problemOf(schema, true))
        .to.match(new RegExp(`${keyword.replace('$', '\\$')}( ".*")? at `))
        .and.contain(` at ${path} cannot be enforced`)
      expect(compile(schema).unenforced).to.deep.equal([{ keyword, path }])
    })
  }

  it('are no matter where they say nothing', () => {
    const moot = { type: 'string', uniqueItems: true, contains: {}, 'x-mine': 1, title: 'a', format: 'password' }
    expect(problemOf(moot, true)).to.equal('none')
    expect(problemOf({ type: 'array', maxItems: 1, uniqueItems: true }, true)).to.equal('none')
  })
})

describe('schemas that ask for too much work', function () {
  this.timeout(60_000)
  const refused: Readonly<Record<string, unknown>> = {
    'deep properties': nested(100_000, (inner) => ({ properties: { a: inner } })),
    'deep alternatives': nested(100_000, (inner) => ({ anyOf: [inner] })),
    'a deep constant': { const: nested(100_000, (inner) => [inner]) },
    'a chain of references': { $ref: '#/$defs/d0', $defs: numbered(5000, (i) => ({ $ref: `#/$defs/d${i + 1}` }), 'd') },
    'ten megabytes': { properties: numbered(100_000, () => ({ type: 'string', description: 'x'.repeat(80) })) },
    'thousands of optional properties': { type: 'object', properties: numbered(10_000, () => ({})) },
    'a million values': { enum: list(1_000_000, (i) => `v${i}`) },
    'one value of ten megabytes': { enum: ['x'.repeat(10_000_000)] },
    'a product of alternatives': {
      allOf: list(25, (i) => ({ anyOf: [{ properties: { [`a${i}`]: {} } }, { required: [`b${i}`] }] })),
    },
    'a product of patterns': { allOf: list(40, (i) => ({ anyOf: [{ pattern: `a{${i}}` }, { pattern: `b{${i}}` }] })) },
    'exactly one of 500 objects': {
      oneOf: list(500, (i) => ({ type: 'object', properties: { [`a${i}`]: {} }, required: [`a${i}`] })),
    },
    'alternatives that begin alike and contain themselves': {
      anyOf: [
        { type: 'object', properties: { a: { $ref: '#' }, b: {} }, required: ['a', 'b'] },
        {
          type: 'object',
          properties: { a: { anyOf: [{ $ref: '#' }, { type: 'null' }] }, c: {} },
          required: ['a', 'c'],
        },
      ],
    },
  }
  for (const [name, schema] of Object.entries(refused)) {
    it(`are refused: ${name}`, () => expect(problemOf(schema)).to.match(/deeper than|more than \d+/))
  }

  const compiled: Readonly<Record<string, unknown>> = {
    'texts of a billion characters': { type: 'string', minLength: 999_999_999, maxLength: 1_000_000_000 },
    'a billion items': { type: 'array', minItems: 1_000_000_000 },
    'a pattern of a billion': { pattern: '^((a{1000}){1000}){1000}$' },
    'a pattern with exponential states': { pattern: '(a|b)*a(a|b){20}' },
    'nested loops': { pattern: '^((a*)*)*b$' },
    'references that double': {
      $ref: '#/$defs/d0',
      $defs: numbered(
        60,
        (i) => (i === 59 ? {} : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }),
        'd',
      ),
    },
  }
  for (const [name, schema] of Object.entries(compiled)) {
    it(`or become small grammars: ${name}`, () => expect(compile(schema).gbnf.length).to.be.below(20_000))
  }
})
