import { formatPatterns, otherFormats } from '../../formats.js'
import type { SchemaDocument } from '../document.js'
import type { JsonObject } from '../keywords.js'
import type { SchemaNode } from '../node.js'
import type { Patterns } from '../patterns.js'
import type { Origin, Pattern, StringVariant } from '../variant.js'
import { checkPattern } from './check-pattern.js'

export const stringsOf = (
  node: SchemaNode,
  schema: JsonObject,
  document: SchemaDocument,
  patterns: Patterns,
): StringVariant => {
  const { pattern, format, minLength, maxLength } = schema
  const held: Pattern[] = []
  const unheld: Origin[] = []
  const add = (keyword: string, source: string | undefined): void => {
    if (source !== undefined && patterns.automaton(source)) held.push({ source, origin: { keyword, node } })
    else unheld.push({ keyword, node })
  }
  if (typeof pattern === 'string') {
    checkPattern(pattern, node, document)
    add('pattern', pattern)
  }
  if (typeof format === 'string' && (formatPatterns.has(format) || otherFormats.has(format)))
    add('format', formatPatterns.get(format))
  return {
    type: 'string',
    minLength: typeof minLength === 'number' ? minLength : 0,
    maxLength: typeof maxLength === 'number' ? maxLength : Infinity,
    patterns: held,
    unheld,
  }
}
