import { expect } from 'chai'
import type { GrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import { compile, counterexample, engineOf } from './support.js'

interface Case {
  readonly schema: unknown
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
}

const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const cases: Readonly<Record<string, Case>> = {
  'any value': {
    schema: true,
    accepted: ['1', '"a"', 'null', '[1, {"a": -0.5e3}]'],
    refused: ['', '{', '01', '[1 ,2]'],
  },
  'lists of types': { schema: { type: ['string', 'null'] }, accepted: ['"a"', 'null'], refused: ['1', '[]'] },
  nullable: { schema: { type: 'boolean', nullable: true }, accepted: ['true', 'null'], refused: ['0'] },
  integers: { schema: { type: 'integer' }, accepted: ['0', '-12'], refused: ['-0', '1.0', '1e3', '1234567890123456'] },
  'integers between bounds': {
    schema: { type: 'integer', minimum: -5, maximum: 120 },
    accepted: ['-5', '0', '99', '120'],
    refused: ['-6', '121', '1000'],
  },
  'decimals between bounds': {
    schema: { type: 'number', minimum: 0.5, exclusiveMaximum: 3.25 },
    accepted: ['0.5', '0.50', '3', '3.249'],
    refused: ['0.49', '0', '3.25', '3.250', '10', '1e0'],
  },
  'numbers above zero': {
    schema: { type: 'number', exclusiveMinimum: 0 },
    accepted: ['0.001', '7'],
    refused: ['0', '0.00', '-1'],
  },
  multiples: { schema: { type: 'integer', multipleOf: 15 }, accepted: ['0', '-30', '105'], refused: ['5', '100'] },
  'lengths in code points': {
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    accepted: ['"ab"', '"😀😀😀"', '"\\n\\u00e9"'],
    refused: ['"a"', '"😀😀😀😀"', '"\\ud83d\\ude00"'],
  },
  'large lengths': {
    schema: { type: 'string', minLength: 300, maxLength: 5000 },
    accepted: [300, 301, 4095, 4096, 5000].map((length) => `"${'x'.repeat(length)}"`),
    refused: [299, 5001].map((length) => `"${'x'.repeat(length)}"`),
  },
  patterns: {
    schema: { type: 'string', pattern: '^[a-z]+-\\d{2,3}$' },
    accepted: ['"ab-12"', '"z-999"'],
    refused: ['"ab-1"', '"AB-12"', '"ab-12 "'],
  },
  'patterns without anchors': {
    schema: { type: 'string', pattern: 'a.c' },
    accepted: ['"abc"', '"x\\"a\\\\cy"'],
    refused: ['"ac"', '"a\\nc"'],
  },
  'patterns with a length': {
    schema: { type: 'string', pattern: '^(ab)*$', minLength: 3, maxLength: 5 },
    accepted: ['"abab"'],
    refused: ['"ab"', '"ababab"', '""'],
  },
  dates: {
    schema: { type: 'string', format: 'date' },
    accepted: ['"2024-02-29"', '"2000-02-29"', '"2023-12-31"'],
    refused: ['"2023-02-29"', '"1900-02-29"', '"2023-04-31"', '"2023-13-01"'],
  },
  'dates with a time': {
    schema: { type: 'string', format: 'date-time' },
    accepted: ['"2024-05-06T07:08:09Z"', '"2024-05-06T07:08:09.123+02:00"'],
    refused: ['"2024-05-06"', '"2024-05-06T24:00:00Z"', '"2024-05-06T07:08:09"'],
  },
  addresses: {
    schema: {
      anyOf: [
        { format: 'ipv4', type: 'string' },
        { format: 'email', type: 'string' },
      ],
    },
    accepted: ['"127.0.0.1"', '"a.b+c@example.org"'],
    refused: ['"256.0.0.1"', '"01.1.1.1"', '"a@b"', '"@example.org"'],
  },
  'addresses of the web': {
    schema: { type: 'string', format: 'uri' },
    accepted: ['"https://example.org"', '"http://a.b-c.example.org:8080/x/y%20z?q=1&r=#top"'],
    refused: [
      '"example.org"',
      '"ftp://example.org"',
      '"https://example.org/a b"',
      '"https://"',
      '"javascript:alert(1)"',
    ],
  },
  'names of hosts': {
    schema: { type: 'string', format: 'hostname' },
    accepted: ['"example.org"', '"ec2-203-0-113-25.compute-1.example.org"'],
    refused: ['""', '"-a"', '"a..b"', '"a_b"'],
  },
  'addresses of version 6': {
    schema: { type: 'string', format: 'ipv6' },
    accepted: ['"::"', '"::1"', '"fe80::1:2:3:4"', '"2001:db8:0:0:0:0:0:1"', '"2001:db8::"'],
    refused: ['"1"', '"1::2::3"', '"1:2:3:4:5:6:7:8:9"', '":::"', '"12345::"'],
  },
  durations: {
    schema: { type: 'string', format: 'duration' },
    accepted: ['"P1Y2M3D"', '"PT36H"', '"P1DT12H30M"', '"P4W"'],
    refused: ['"P"', '"PT"', '"P1H"', '"P1D2M"', '"1D"'],
  },
  'pointers and bytes': {
    schema: {
      type: 'object',
      properties: { at: { type: 'string', format: 'json-pointer' }, data: { type: 'string', format: 'byte' } },
    },
    accepted: ['{"at":"/a~0b/~1","data":"aGk="}', '{"at":""}'],
    refused: ['{"at":"a"}', '{"at":"/~2"}', '{"data":"aGk"}'],
  },
  enumerations: {
    schema: { enum: ['red', 'reddish', 1, null, { a: [1] }] },
    accepted: ['"red"', '"reddish"', '1', 'null', '{"a":[1]}', '{"a": [1]}'],
    refused: ['"re"', '"redd"', '2', '{}', '{"a":[1,1]}'],
  },
  'constants with another keyword': {
    schema: { enum: ['a', 'bb', 'ccc'], maxLength: 2, not: { const: 'a' } },
    accepted: ['"bb"'],
    refused: ['"ccc"'],
  },
  'required properties': {
    schema: closed({ a: { type: 'string' }, b: { type: 'integer' } }, ['b']),
    accepted: ['{"b":1}', '{"a":"x","b":1}', '{"b": 1, "a": "x"}'],
    refused: ['{}', '{"a":"x"}', '{"b":1,"b":2}', '{"b":1,"c":1}', '{"b":1,}', '{ "b":1}'],
  },
  'many properties in their order': {
    schema: closed(Object.fromEntries('abcdefgh'.split('').map((name) => [name, { type: 'integer' }])), ['c']),
    accepted: ['{"c":1}', '{"a":1,"c":1,"h":1}'],
    refused: ['{"a":1}', '{"c":1,"a":1}'],
  },
  'additional properties': {
    schema: { type: 'object', properties: { ab: { type: 'string' } }, additionalProperties: { type: 'integer' } },
    accepted: ['{"abc":1,"a":2,"ab":"x","":3}'],
    refused: ['{"ab":1}', '{"\\u0061b":1}', '{"a":"x"}'],
  },
  'declared properties alone, where nothing is said of others': {
    schema: { type: 'object', properties: { a: { type: 'integer' } } },
    accepted: ['{}', '{"a":1}'],
    refused: ['{"b":1}', '{"a":1,"b":1}'],
  },
  'any properties, where none is declared': {
    schema: { type: 'object' },
    accepted: ['{}', '{"a":1,"b":[]}'],
    refused: ['[]'],
  },
  'other properties, where they are said to be allowed': {
    schema: { properties: { a: { type: 'integer' } }, type: 'object', additionalProperties: true },
    accepted: ['{"a":1,"b":"x"}'],
    refused: ['{"a":"x"}'],
  },
  'required properties that nobody declared': {
    schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['b'] },
    accepted: ['{"b":[1]}', '{"a":1,"b":null}'],
    refused: ['{"a":1}', '{"b":1,"c":1}'],
  },
  'more properties than are declared, where so many are demanded': {
    schema: { type: 'object', properties: { a: { type: 'integer' } }, minProperties: 2 },
    accepted: ['{"a":1,"b":2}'],
    refused: ['{"a":1}'],
  },
  'properties declared in several places': {
    schema: {
      $defs: { named: { properties: { name: { type: 'string' } } } },
      type: 'object',
      properties: { a: { type: 'integer' } },
      allOf: [{ properties: { b: { type: 'null' } } }],
      $ref: '#/$defs/named',
      anyOf: [{ properties: { c: { type: 'boolean' } }, required: ['c'] }, { required: ['a'] }],
    },
    accepted: ['{"name":"x","b":null,"c":true}', '{"a":1,"b":null}', '{"a":1,"name":"x","b":null,"c":true}'],
    refused: ['{"a":1,"d":1}', '{"b":null}'],
  },
  'others in one place, which another one does not mention': {
    schema: {
      allOf: [
        { properties: { a: { type: 'integer' } } },
        { type: 'object', additionalProperties: { type: ['integer', 'null'] } },
      ],
    },
    accepted: ['{"a":1,"b":null}'],
    refused: ['{"a":null}', '{"b":"x"}'],
  },
  'properties by a pattern beside declared ones': {
    schema: {
      allOf: [{ properties: { a: { type: 'integer' } } }, { patternProperties: { '^x-': { type: 'null' } } }],
      type: 'object',
    },
    accepted: ['{"a":1,"x-b":null}'],
    refused: ['{"a":1,"b":null}', '{"x-b":1}'],
  },
  'properties by pattern': {
    schema: {
      type: 'object',
      patternProperties: { '^x-': { type: 'integer' } },
      additionalProperties: { type: 'null' },
    },
    accepted: ['{"x-a":1,"y":null}'],
    refused: ['{"x-a":null}', '{"y":1}'],
  },
  'names of properties': {
    schema: { type: 'object', propertyNames: { pattern: '^[a-c]+$' }, additionalProperties: { type: 'integer' } },
    accepted: ['{"abc":1}', '{}'],
    refused: ['{"d":1}', '{"":1}'],
  },
  'numbers of properties': {
    schema: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'integer' } },
    accepted: ['{"a":1}', '{"a":1,"b":2}'],
    refused: ['{}', '{"a":1,"b":2,"c":3}'],
  },
  'numbers of items': {
    schema: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 40 },
    accepted: ['[1,2]', '[1, 2, 3]', JSON.stringify(Array(40).fill(1))],
    refused: ['[]', '[1]', JSON.stringify(Array(41).fill(1)), '[1,"a"]'],
  },
  tuples: {
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    accepted: ['[]', '["a"]', '["a",1]'],
    refused: ['[1]', '["a",1,1]'],
  },
  'tuples of draft 7': {
    schema: { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'null' }, minItems: 2 },
    accepted: ['["a",null]'],
    refused: ['["a"]', '["a",1]'],
  },
  'alternatives that differ late': {
    schema: {
      anyOf: [
        closed({ id: { type: 'string' }, kind: { const: 'a' }, x: { type: 'integer' } }, ['id', 'kind', 'x']),
        closed({ id: { type: 'string' }, kind: { const: 'b' }, y: { type: 'integer' } }, ['id', 'kind', 'y']),
      ],
    },
    accepted: ['{"id":"1","kind":"a","x":1}', '{"id":"1","kind":"b","y":1}'],
    refused: ['{"id":"1","kind":"a","y":1}', '{"id":"1","kind":"b"}'],
  },
  'exactly one of types': {
    schema: {
      oneOf: [
        { type: 'string', maxLength: 2 },
        { type: 'integer', minimum: 5 },
      ],
    },
    accepted: ['"ab"', '5'],
    refused: ['"abc"', '4'],
  },
  'exactly one of arrays': {
    schema: {
      oneOf: [
        { type: 'array', items: { type: 'string' } },
        { type: 'array', items: { type: 'integer' } },
      ],
    },
    accepted: ['["a"]', '[1,2]'],
    refused: ['[]', '["a",1]'],
  },
  'exactly one of objects with properties of their own': {
    schema: {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        {
          type: 'object',
          properties: { b: { type: 'string' } },
          required: ['b'],
          additionalProperties: { type: 'null' },
        },
      ],
    },
    accepted: ['{"a":"x"}', '{"b":"x"}', '{"b":"x","c":null}'],
    refused: ['{"a":"x","b":"x"}', '{}'],
  },
  'exactly one of required properties': {
    schema: { oneOf: [{ type: 'object', required: ['a'] }, { type: 'object', required: ['b'] }, { type: 'null' }] },
    accepted: ['{"a":1}', '{"b":1,"c":2}', 'null'],
    refused: ['{"a":1,"b":1}', '{"c":1}'],
  },
  'all of several objects': {
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] },
        { properties: { a: { maximum: 3 }, b: { type: 'null' } }, additionalProperties: false },
      ],
    },
    accepted: ['{"a":3}', '{"b":null,"a":1}'],
    refused: ['{"a":4}', '{"a":0}', '{"a":1,"c":1}'],
  },
  'not a type': { schema: { not: { type: ['object', 'array'] } }, accepted: ['1', '"a"'], refused: ['{}', '[]'] },
  'references with keywords beside them': {
    schema: { $defs: { text: { type: 'string', minLength: 1 } }, $ref: '#/$defs/text', maxLength: 2 },
    accepted: ['"a"', '"ab"'],
    refused: ['""', '"abc"'],
  },
  recursion: {
    schema: closed({ value: { type: 'integer' }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }, [
      'value',
      'next',
    ]),
    accepted: ['{"value":1,"next":{"value":2,"next":null}}'],
    refused: ['{"value":1}', '{"value":1,"next":{"value":2}}'],
  },
  anchors: {
    schema: { $ref: '#part', $defs: { a: { $anchor: 'part', enum: [1] } } },
    accepted: ['1'],
    refused: ['2'],
  },
}

describe('what the grammar of a schema accepts', function () {
  this.timeout(60_000)
  let engine: GrammarEngine

  before(async () => {
    engine = await engineOf()
  })

  for (const [name, { schema, accepted, refused }] of Object.entries(cases)) {
    it(name, () => {
      const grammar = compile(schema)
      const isAccepted = engine.parse(grammar.gbnf)
      expect(accepted.filter((text) => !isAccepted(text))).to.deep.equal([])
      expect(refused.filter((text) => isAccepted(text)).map((text) => text.slice(0, 40))).to.deep.equal([])
      expect(counterexample(grammar, schema, 100)).to.equal(undefined)
    })
  }
})
