import { isSallyportError } from '@sallyport/core'
import { expect } from 'chai'
import { validatorOf } from '@sallyport/stand-ins/json-schema'
import fc from 'fast-check'
import { compile, counterexample, engineOf } from './support.js'

const {
  letrec,
  constantFrom,
  integer,
  record,
  array,
  oneof,
  dictionary,
  string,
  double,
  boolean,
  constant,
  uniqueArray,
} = fc

const key = constantFrom('a', 'b', 'ab', 'c', 'kind', 'a"b', '')
const small = integer({ min: 0, max: 3 })
const bound = oneof(
  integer({ min: -20, max: 20 }),
  double({ min: -5, max: 5, noNaN: true }).map((value) => Number(value.toFixed(2))),
)
const literal = oneof(
  string({ maxLength: 3 }),
  integer({ min: -3, max: 3 }),
  boolean(),
  constant(null),
  constant([1]),
  constant({ a: 1 }),
)
const type = constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')
const pattern = constantFrom('^a', 'b$', '^[a-c]{1,3}$', '[^\\d]', '^(a|bc)*$', '\\\\', '"', '^$', 'x?')

const scalars = {
  type: oneof(type, uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: uniqueArray(literal, { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) }),
  const: literal,
  minimum: bound,
  exclusiveMaximum: bound,
  multipleOf: integer({ min: 1, max: 7 }),
  minLength: small,
  maxLength: small,
  pattern,
  format: constantFrom(
    'date',
    'time',
    'uuid',
    'email',
    'ipv4',
    'ipv6',
    'uri',
    'hostname',
    'duration',
    'json-pointer',
    'regex',
  ),
  minItems: small,
  maxItems: small,
  uniqueItems: boolean(),
  minProperties: small,
  maxProperties: small,
  required: uniqueArray(key, { maxLength: 2 }),
}

/** Schemas with few keywords each, so that most of them fit something. */
const { schema } = letrec((tie) => {
  const inner = tie('schema')
  const combining = {
    properties: dictionary(key, inner, { maxKeys: 3 }),
    patternProperties: dictionary(pattern, inner, { maxKeys: 2 }),
    additionalProperties: inner,
    propertyNames: inner,
    items: inner,
    prefixItems: array(inner, { minLength: 1, maxLength: 2 }),
    contains: inner,
    anyOf: array(inner, { minLength: 1, maxLength: 3 }),
    oneOf: array(inner, { minLength: 1, maxLength: 3 }),
    allOf: array(inner, { minLength: 1, maxLength: 2 }),
    not: inner,
    if: inner,
    then: inner,
    $ref: constantFrom('#', '#/$defs/one'),
  }
  const keywords = Object.entries({ ...scalars, ...combining }) as [string, fc.Arbitrary<unknown>][]
  const leaf = record({ type })
  const branch = fc
    .subarray(keywords, { minLength: 1, maxLength: 4 })
    .chain((chosen) => record(Object.fromEntries(chosen)))
  return { schema: oneof({ depthSize: 'small', withCrossShrink: true }, leaf, boolean(), branch) }
})

const document = record({ one: schema, root: schema }).map(({ one, root }) =>
  typeof root === 'object' ? { ...root, $defs: { one } } : root,
)

const simple = letrec<{ pair: readonly [schema: object, value: fc.Arbitrary<unknown>] }>((tie) => ({
  pair: oneof(
    { depthSize: 'small', maxDepth: 3 },
    constant([{ type: 'string' }, string({ unit: 'grapheme' })] as const),
    constant([{ type: 'integer', minimum: -50, maximum: 5000 }, integer({ min: -50, max: 5000 })] as const),
    constant([
      { type: 'number' },
      double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => Number(value.toFixed(4))),
    ] as const),
    constant([{ type: ['boolean', 'null'] }, oneof(boolean(), constant(null))] as const),
    constant([{ enum: ['red', 'green', 7] }, constantFrom('red', 'green', 7)] as const),
    tie('pair').map(
      ([items, value]) => [{ type: 'array', items, maxItems: 20 }, array(value, { maxLength: 20 })] as const,
    ),
    fc
      .dictionary(
        string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
        tie('pair'),
        { maxKeys: 8 },
      )
      .map((pairs) => {
        const entries = Object.entries(pairs)
        const properties = Object.fromEntries(entries.map(([name, [each]]) => [name, each]))
        const values = Object.fromEntries(entries.map(([name, [, value]]) => [name, value]))
        return [
          { type: 'object', properties, additionalProperties: false },
          record(values, { requiredKeys: [] }),
        ] as const
      }),
  ),
}))

/** Anchors in odd places, loops in loops, counts, classes and escapes. */
const patterns = [
  ...['', 'a', '^a', 'b$', '^$', '^a|b$', '(?:^a|b$)', '(^|c)a', 'a($|1)', '(?:a^)?b', '^^a$$', '(?:^a)+b', '(a|$)*b'],
  ...['a*', '^a*$', '^(a|bc)*$', '^((a*)*)*b$', '^(?:a?b?)*$', '^a{2}$', '^a{2,}b{0,1}$', 'a{1,3}c', '^(?:ab?){1,2}$'],
  ...[
    '^[a-c]+$',
    '^[^a]$',
    '[^\\d]',
    '^\\w+\\s\\S$',
    '.b',
    '^.$',
    '^[^]$',
    '\\\\',
    '"',
    '^[\\-1]*$',
    '^\\u{1f600}',
    '^(?<name>a)b',
  ],
  ...['^(?:a|ab)(?:c|bc)$', 'a.*b.*c', '^(?:(?:a|^)b)*$'],
]

/** Ajv overflows where a reference leads only to itself, though nothing leads there. */
const isReadable = (each: unknown): boolean => {
  try {
    validatorOf(each)
    return true
  } catch {
    return false
  }
}

describe('grammars of random schemas', function () {
  this.timeout(300_000)

  it('allow nothing that the schema forbids', () => {
    let compiled = 0
    fc.assert(
      fc.property(document, (each) => {
        fc.pre(isReadable(each))
        let grammar
        try {
          grammar = compile(each)
        } catch (error) {
          if (!isSallyportError(error) || error.code !== 'invalid_request') throw error
          return
        }
        compiled += 1
        expect(counterexample(grammar, each, 20)).to.equal(undefined)
      }),
      { numRuns: 400 },
    )
    expect(compiled).to.be.above(100)
  })

  it('allow the values that fit simple schemas, as JSON.stringify writes them', async () => {
    const engine = await engineOf()
    const cases = simple.pair.chain(([each, value]) => record({ schema: constant(each), value }))
    fc.assert(
      fc.property(cases, ({ schema: each, value }) => {
        const text = JSON.stringify(value)
        expect(engine.parse(compile(each, true).gbnf)(text), text).to.equal(true)
      }),
      { numRuns: 300 },
    )
  })

  it('allow of a pattern exactly the strings in which it is found', async () => {
    const engine = await engineOf()
    const characters = constantFrom('a', 'b', 'c', '1', ' ', '-', '\n', '"', '\\', 'é', '😀')
    for (const pattern of patterns) {
      const accepts = engine.parse(compile({ type: 'string', pattern }, true).gbnf)
      const found = new RegExp(pattern, 'u')
      fc.assert(
        fc.property(string({ unit: characters, maxLength: 6 }), (text) => {
          expect(accepts(JSON.stringify(text)), `${pattern} in ${JSON.stringify(text)}`).to.equal(found.test(text))
        }),
        { numRuns: 60 },
      )
    }
  })
})
