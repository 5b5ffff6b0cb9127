import type { SchemaDocument } from './document.js'
import type { SchemaNode } from './node.js'
import type { Patterns } from './patterns.js'
import type { ObjectVariant, Variant } from './variant.js'

/** All of these schemas at once; of none, any value. */
export interface Conjunction {
  readonly key: string
  readonly nodes: readonly SchemaNode[]
}

/** The normal forms of the schemas of a document. */
export interface NormalForms {
  readonly document: SchemaDocument
  readonly patterns: Patterns
  conjunction(nodes: readonly SchemaNode[]): Conjunction
  /** Of the value of a property; of none where the key is not allowed. */
  property(variant: ObjectVariant, key: string): Conjunction
  expand(conjunction: Conjunction): readonly Variant[]
  /** The schema whose normal form it is; undefined where that is written nowhere. */
  placeOf(variants: readonly Variant[]): SchemaNode | undefined
  /** Undefined while that very schema is being brought into its normal form. */
  expandIfPossible(conjunction: Conjunction): readonly Variant[] | undefined
}
