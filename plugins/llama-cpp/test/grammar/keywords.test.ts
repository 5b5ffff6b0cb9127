import { closed, describeCases } from './support.js'

describeCases('what the grammar of a schema accepts', {
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
})
