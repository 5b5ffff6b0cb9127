import { maxOf } from '@sallyport/kit/lists'
import type { Alternative, KeywordLocation } from './alternative.js'
import { maxOfKeyword, minOfKeyword } from './document.js'
import type { JsonObject, SchemaDocument, SchemaNode } from './document.js'
import { closingKeyword, isUnevaluatedEnforced } from './unevaluated.js'

interface Layer {
  readonly prefix: readonly SchemaNode[]
  /** The schema of the items after the prefix; absent where they may be anything. */
  readonly rest: SchemaNode | undefined
}

/** The constraints of an alternative on arrays. */
export class ArrayShape {
  readonly min: number
  readonly max: number
  /** How many items have schemas of their own. */
  readonly prefixLength: number
  readonly unenforced: readonly KeywordLocation[]
  private readonly layers: readonly Layer[]

  constructor({ nodes }: Alternative, document: SchemaDocument) {
    this.min = maxOfKeyword(nodes, 'minItems', 0)
    this.max = minOfKeyword(nodes, 'maxItems', Infinity)
    this.layers = nodes.map((node) => layerOf(node, document))
    const lengths = this.layers.map(({ prefix }) => prefix.length)
    this.prefixLength = Math.min(this.max, maxOf(lengths, 0))
    this.unenforced = nodes.flatMap((node) => this.unenforcedIn(node))
  }

  itemAt(index: number): readonly SchemaNode[] {
    return this.layers.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? [])
  }

  private unenforcedIn(node: SchemaNode): KeywordLocation[] {
    const { uniqueItems, contains, minContains, maxContains } = node.schema as JsonObject
    const containsAllowsAll = contains === undefined || (minContains === 0 && maxContains === undefined)
    return [
      ...(uniqueItems === true && this.max > 1 ? [{ keyword: 'uniqueItems', node }] : []),
      ...(containsAllowsAll ? [] : [{ keyword: 'contains', node }]),
      ...(isUnevaluatedEnforced(node, 'unevaluatedItems', 'items') ? [] : [{ keyword: 'unevaluatedItems', node }]),
    ]
  }
}

const layerOf = (node: SchemaNode, document: SchemaDocument): Layer => {
  const schema = node.schema as JsonObject
  const list = Array.isArray(schema['items']) ? 'items' : 'prefixItems'
  const value = schema[list]
  const rest = closingKeyword(schema, list === 'items' ? 'additionalItems' : 'items', 'unevaluatedItems')
  return {
    prefix: Array.isArray(value) ? value.map((_, index) => document.child(node, list, index)) : [],
    rest: rest === undefined ? undefined : document.child(node, rest),
  }
}
