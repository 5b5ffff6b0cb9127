import type { Schema } from './schema.js'

/** What a schema allows, in words: `a number from 0 to 2`, `one of "low", "medium", "high"`. */
export const describe = (schema: Schema): string => {
  if (schema['x-allowed'] !== undefined) return schema['x-allowed']
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.length ? types.map((type) => describeType(type, schema)).join(' or ') : 'any value'
}

const describeType = (type: string, schema: Schema): string => {
  switch (type) {
    case 'boolean':
      return 'true or false'
    case 'integer':
      return `an integer${range(schema)}`
    case 'number':
      return `a number${range(schema)}`
    case 'string':
      return describeString(schema)
    case 'array':
      return describeArray(schema)
    default:
      return 'an object'
  }
}

const range = ({ minimum, maximum }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

const describeString = ({ minLength, maxLength }: Schema): string =>
  `a ${minLength ? 'non-empty ' : ''}string${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}`

const describeArray = ({ items, minItems, maxItems }: Schema): string => {
  const of = items ? ` of ${describe(items)}` : ''
  const most = maxItems === undefined ? '' : ` (at most ${maxItems})`
  return `${minItems ? 'a non-empty ' : 'an '}array${of}${most}`
}
