import { invalid } from '../check.js'
import type { SchemaDocument } from '../document.js'
import { pathOf } from '../node.js'
import type { SchemaNode } from '../node.js'

/** @throws invalid_request where it is no regular expression */
export const checkPattern = (pattern: string, node: SchemaNode, document: SchemaDocument): void => {
  try {
    new RegExp(pattern)
  } catch {
    throw invalid(document.field, pathOf(node), 'a pattern is no regular expression of ECMA-262: correct it')
  }
}
