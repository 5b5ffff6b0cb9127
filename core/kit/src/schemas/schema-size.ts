import { failure } from '@sallyport/core/errors'

/** Names and values of all schemas of a request together; positions in lists count as names. */
const maxValues = 20_000
/** UTF-16 code units of names and strings. */
const maxCharacters = 500_000
const maxDepth = 64

/** Counts what the schemas of a request hold, and refuses too much of it. */
export class SchemaSize {
  private values = 0
  private characters = 0

  /** @throws invalid_request for schemas that are too large or not JSON */
  add(field: string, schema: unknown): void {
    const open = [{ value: schema, depth: 0 }]
    for (let next = open.pop(); next; next = open.pop()) {
      const { value, depth } = next
      this.count(field, value)
      if (typeof value !== 'object' || value === null) continue
      if (depth === maxDepth) throw tooMuch(field, `nests deeper than ${maxDepth} levels`)
      if (Array.isArray(value) && value.length > maxValues) throw tooManyValues(field)
      for (const key in value) {
        this.count(field, key)
        open.push({ value: (value as Readonly<Record<string, unknown>>)[key], depth: depth + 1 })
      }
    }
  }

  private count(field: string, value: unknown): void {
    this.values += 1
    if (this.values > maxValues) throw tooManyValues(field)
    if (typeof value === 'string') this.characters += value.length
    if (this.characters > maxCharacters)
      throw tooMuch(field, `has more than ${maxCharacters} characters, with the other schemas of the request`)
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
      throw failure('invalid_request', { field, problem: 'must be a JSON Schema: it holds what JSON does not have' })
  }
}

const tooManyValues = (field: string) =>
  tooMuch(field, `has more than ${maxValues} names and values, with the other schemas of the request`)

const tooMuch = (field: string, problem: string) =>
  failure('invalid_request', { field, problem: `${problem}: make it smaller` })
