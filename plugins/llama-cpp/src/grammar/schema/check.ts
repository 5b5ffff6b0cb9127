import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { pathOf } from './node.js'
import type { SchemaNode } from './node.js'
import { isTypeName, keywordKinds, meantTypes, typeNames } from './keywords.js'
import type { JsonObject } from './keywords.js'

export const invalid = (field: string, path: string, problem: string): SallyportError =>
  failure('invalid_request', { field, problem: `the schema at ${path}: ${problem}` })

/** @throws invalid_request where a keyword is not what the specification says */
export const checkKeywords = (node: SchemaNode, schema: JsonObject, field: string): void => {
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = keywordKinds.get(keyword)
    if (kind && !kind.fits(value)) throw invalid(field, pathOf(node), `${keyword} has to be ${kind.name}`)
  }
  if (schema['type'] !== undefined) checkType(node, schema['type'], field)
}

const checkType = (node: SchemaNode, type: unknown, field: string): void => {
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  for (const name of names) {
    if (isTypeName(name)) continue
    const meant = typeof name === 'string' ? meantTypes.get(name.toLowerCase()) : undefined
    const advice = meant ? `use "${meant}"` : `use one of ${typeNames.join(', ')}`
    throw invalid(field, pathOf(node), `there is no type ${short(name)}: ${advice}`)
  }
}

const short = (value: unknown): string => JSON.stringify(value).slice(0, 40)
