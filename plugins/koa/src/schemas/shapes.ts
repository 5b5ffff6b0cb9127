/** Converts shapes of capabilities to JSON Schemas, and their values to and from JSON. */

import { nameOfMember } from '@sallyport/core'
import type { AnyShape, EitherShape, JsonShape, ListShape, OneOfShape, OpaqueLeaf } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { listOf, opaque, text } from './common.js'
import type { Schema } from './schema.js'
import { invalidField } from '../invalid-field.js'

type Members = Readonly<Record<string, AnyShape>>

const bytes: Schema = { ...opaque('bytes, which the safeguards do not see'), contentEncoding: 'base64' }

const plainSchemas: Readonly<Record<string, Schema>> = {
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  floats: listOf({ type: 'number' }),
  schema: { 'x-text': true, description: 'a JSON Schema' },
}

/** Makes the schema of a shape. Bytes are base64, floats are lists of numbers; undeclared members are refused. */
export const schemaOf = (shape: AnyShape): Schema => {
  if (typeof shape === 'string') return plainSchemas[shape] ?? text
  if ('opaque' in shape) return opaque((shape as OpaqueLeaf).opaque)
  if ('$bytes' in shape) return bytes
  if ('$json' in shape) return anyValue(shape as JsonShape)
  if ('$oneOf' in shape) return { type: 'string', enum: Object.keys((shape as OneOfShape).$oneOf) }
  if ('$list' in shape) return listOf(schemaOf((shape as ListShape).$list))
  if ('$either' in shape) {
    const [first, second] = (shape as EitherShape).$either.map(schemaOf)
    return { ...second, ...first, type: [first?.type ?? [], second?.type ?? []].flat() }
  }
  const members = shape as Members
  if (members['*']) return { type: 'object', propertyNames: text, additionalProperties: schemaOf(members['*']) }
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(members).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, inner]) => [nameOfMember(name), schemaOf(inner)]),
    ),
  }
}

const anyValue = ({ $json: leaf }: JsonShape): Schema =>
  typeof leaf === 'string'
    ? { 'x-text': true, description: 'any value' }
    : opaque(leaf.opaque, { description: 'any value' })

/** Converts a valid body to the argument of a method. @throws invalid_request for invalid base64 */
export const fromWire = (shape: AnyShape, value: unknown, field = ''): unknown =>
  convert(shape, value, field, {
    bytes: (given, at) => {
      const decoded = Buffer.from(String(given), 'base64')
      if (decoded.toString('base64').replace(/=+$/, '') === String(given).replace(/=+$/, ''))
        return new Uint8Array(decoded)
      throw invalidField(at, 'must be bytes in base64')
    },
    floats: (given) => Float32Array.from(given as number[]),
  })

/** Converts the result of a method to JSON. */
export const toWire = (shape: AnyShape, value: unknown): unknown =>
  convert(shape, value, '', {
    bytes: (given) => Buffer.from(given as Uint8Array).toString('base64'),
    floats: (given) => Array.from(given as Float32Array),
  })

interface Conversion {
  readonly bytes: (value: unknown, field: string) => unknown
  readonly floats: (value: unknown) => unknown
}

const convert = (shape: AnyShape, value: unknown, field: string, to: Conversion): unknown => {
  if (value === undefined || value === null) return value
  if (shape === 'floats') return to.floats(value)
  if (typeof shape === 'string' || 'opaque' in shape || '$json' in shape || '$oneOf' in shape) return value
  if ('$bytes' in shape) return to.bytes(value, field)
  if ('$list' in shape) {
    const { $list: item } = shape as ListShape
    return (value as unknown[]).map((one, at) => convert(item, one, `${field}[${at}]`, to))
  }
  if ('$either' in shape) {
    const [first, second] = (shape as EitherShape).$either
    return convert(typeof value === 'string' ? first : second, value, field, to)
  }
  if (!isRecord(value)) return value
  const members = shape as Members
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const member = members[name] ?? members[`${name}?`] ?? members['*']
      return [name, member ? convert(member, inner, field ? `${field}.${name}` : name, to) : inner]
    }),
  )
}
