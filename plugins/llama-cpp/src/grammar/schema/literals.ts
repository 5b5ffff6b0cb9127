import type { SchemaDocument } from './document.js'
import type { SchemaNode } from './node.js'
import { isObject } from './keywords.js'
import type { JsonObject } from './keywords.js'
import { noCount, unbounded } from './variant.js'
import type { Variant } from './variant.js'

/** The values of `enum` and `const` as variants: texts together, numbers together, each array and object by itself. */
export const literalVariants = (values: readonly unknown[], node: SchemaNode, document: SchemaDocument): Variant[] => {
  const strings = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  return [
    ...(strings.length ? [stringLiterals([...new Set(strings)])] : []),
    ...(numbers.length ? [numberLiterals([...new Set(numbers)])] : []),
    ...values.flatMap((value) => otherLiteral(value, node, document)),
  ]
}

const stringLiterals = (values: readonly string[]): Variant => ({
  type: 'string',
  minLength: 0,
  maxLength: Infinity,
  patterns: [],
  values,
  unheld: [],
})

const numberLiterals = (values: readonly number[]): Variant => ({
  type: 'number',
  integer: false,
  ...unbounded,
  multiples: [],
  values,
  unheld: [],
})

const otherLiteral = (value: unknown, node: SchemaNode, document: SchemaDocument): Variant[] => {
  if (value === null) return [{ type: 'null', unheld: [] }]
  if (typeof value === 'boolean') return [{ type: 'boolean', value, unheld: [] }]
  if (Array.isArray(value)) return [arrayLiteral(value, node, document)]
  return isObject(value) ? [objectLiteral(value, node, document)] : []
}

const arrayLiteral = (items: readonly unknown[], node: SchemaNode, document: SchemaDocument): Variant => ({
  type: 'array',
  layers: [
    {
      id: `=${JSON.stringify(items)}`,
      prefix: items.map((item) => document.synthetic({ const: item }, node)),
      rest: document.nothing,
    },
  ],
  least: items.length,
  most: items.length,
  unheld: [],
})

const objectLiteral = (value: JsonObject, node: SchemaNode, document: SchemaDocument): Variant => ({
  type: 'object',
  layers: [
    {
      id: `=${JSON.stringify(value)}`,
      properties: new Map(Object.entries(value).map(([key, item]) => [key, document.synthetic({ const: item }, node)])),
      patterns: [],
      additional: document.nothing,
      declares: false,
      opens: false,
    },
  ],
  required: new Set(Object.keys(value)),
  names: [],
  ...noCount,
  unheld: [],
})
