import { closed, describeCases } from './support.js'

describeCases('what the grammar of an object accepts', {
  'required properties': {
    schema: closed({ a: { type: 'string' }, b: { type: 'integer' } }, ['b']),
    accepted: ['{"b":1}', '{"a":"x","b":1}', '{"a": "x", "b": 1}'],
    refused: ['{}', '{"a":"x"}', '{"b":1,"b":2}', '{"b":1,"c":1}', '{"b":1,}', '{ "b":1}'],
  },
  'properties in their order': {
    schema: closed(Object.fromEntries('abcdefgh'.split('').map((name) => [name, { type: 'integer' }])), ['c']),
    accepted: ['{"c":1}', '{"a":1,"c":1,"h":1}'],
    refused: ['{"a":1}', '{"c":1,"a":1}'],
  },
  'additional properties': {
    schema: { type: 'object', properties: { ab: { type: 'string' } }, additionalProperties: { type: 'integer' } },
    accepted: ['{"ab":"x","abc":1,"a":2,"":3}', '{"a":2}'],
    refused: ['{"ab":1}', '{"\\u0061b":1}', '{"a":"x"}'],
  },
  'declared properties alone, where nothing is said of others': {
    schema: { type: 'object', properties: { a: { type: 'integer' } } },
    accepted: ['{}', '{"a":1}'],
    refused: ['{"b":1}', '{"a":1,"b":1}'],
  },
  'none, where it is declared that there are none': {
    schema: { type: 'object', properties: {} },
    accepted: ['{}'],
    refused: ['{"a":1}', '{"":1}'],
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
  'at least one of several properties': {
    schema: closed({ a: { type: 'integer' }, b: { type: 'integer' } }, [], { minProperties: 1 }),
    accepted: ['{"a":1,"b":2}', '{"b":2}'],
    refused: ['{}'],
  },
  'other properties, where more are demanded than are declared': {
    schema: { type: 'object', properties: { a: { type: 'integer' } }, minProperties: 2 },
    accepted: ['{"a":1,"b":2}'],
    refused: ['{"a":"x"}', '{}'],
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
  'all of several objects': {
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] },
        { properties: { a: { maximum: 3 }, b: { type: 'null' } }, additionalProperties: false },
      ],
    },
    accepted: ['{"a":3}', '{"a":1,"b":null}'],
    refused: ['{"a":4}', '{"a":0}', '{"a":1,"c":1}'],
  },
})
