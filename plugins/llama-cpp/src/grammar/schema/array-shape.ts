import { maxOf } from '@sallyport/kit/lists'
import type { Alternative, Origin } from './alternative.js'
import { largest, smallest } from './document.js'
import type { JsonObject, SchemaDocument, SchemaNode } from './document.js'
import { closingKeyword, isUnevaluatedHeld } from './unevaluated.js'

interface Layer {
  readonly prefix: readonly SchemaNode[]
  /** The schema of the items behind the prefix; absent where they may be anything. */
  readonly rest: SchemaNode | undefined
}

/** What an alternative says of arrays. */
export class ArrayShape {
  readonly min: number
  readonly max: number
  /** How many items have schemas of their own. */
  readonly prefixLength: number
  readonly unheld: readonly Origin[]
  private readonly layers: readonly Layer[]

  constructor({ nodes }: Alternative, document: SchemaDocument) {
    this.min = largest(nodes, 'minItems', 0)
    this.max = smallest(nodes, 'maxItems', Infinity)
    this.layers = nodes.map((node) => layerOf(node, document))
    this.prefixLength = Math.min(
      this.max,
      maxOf(
        this.layers.map(({ prefix }) => prefix.length),
        0,
      ),
    )
    this.unheld = nodes.flatMap((node) => this.unheldOf(node))
  }

  itemAt(index: number): readonly SchemaNode[] {
    return this.layers.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? [])
  }

  private unheldOf(node: SchemaNode): Origin[] {
    const { uniqueItems, contains, minContains, maxContains } = node.schema as JsonObject
    const isContainsMoot = contains === undefined || (minContains === 0 && maxContains === undefined)
    return [
      ...(uniqueItems === true && this.max > 1 ? [{ keyword: 'uniqueItems', node }] : []),
      ...(isContainsMoot ? [] : [{ keyword: 'contains', node }]),
      ...(isUnevaluatedHeld(node, 'unevaluatedItems', 'items') ? [] : [{ keyword: 'unevaluatedItems', node }]),
    ]
  }
}

const layerOf = (node: SchemaNode, document: SchemaDocument): Layer => {
  const schema = node.schema as JsonObject
  const list = Array.isArray(schema['items']) ? 'items' : 'prefixItems'
  const held = schema[list]
  const rest = closingKeyword(schema, list === 'items' ? 'additionalItems' : 'items', 'unevaluatedItems')
  return {
    prefix: Array.isArray(held) ? held.map((_, index) => document.child(node, list, index)) : [],
    rest: rest === undefined ? undefined : document.child(node, rest),
  }
}
