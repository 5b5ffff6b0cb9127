import type { Budget } from '../budget.js'
import type { SchemaDocument } from './document.js'
import { EndlessReference, NodeExpander } from './node-expander.js'
import type { SchemaNode } from './node.js'
import type { Conjunction, NormalForms } from './normal-forms.js'
import type { Patterns } from './patterns.js'
import type { ObjectVariant, Variant } from './variant.js'
import { propertyOf } from './views.js'

/** Brings schemas into their normal form, a level at a time: items and properties stay schemas. */
export class Expander implements NormalForms {
  private readonly nodes: NodeExpander
  private readonly known = new Map<string, readonly Variant[]>()
  private readonly places = new WeakMap<readonly Variant[], SchemaNode>()
  private readonly properties = new Map<ObjectVariant, Map<string, Conjunction>>()

  constructor(
    readonly document: SchemaDocument,
    readonly patterns: Patterns,
    budget: Budget,
  ) {
    this.nodes = new NodeExpander(this, budget)
  }

  conjunction(nodes: readonly SchemaNode[]): Conjunction {
    if (nodes.some(({ schema }) => schema === false)) return { key: 'false', nodes: [this.document.nothing] }
    const narrow = nodes.filter(({ schema }) => schema !== true)
    const distinct = narrow.length < 2 ? narrow : [...new Set(narrow)].sort((a, b) => a.id - b.id)
    return { key: distinct.map(({ id }) => id).join(), nodes: distinct }
  }

  property(variant: ObjectVariant, key: string): Conjunction {
    const properties = this.properties.get(variant) ?? new Map<string, Conjunction>()
    this.properties.set(variant, properties)
    const known = properties.get(key) ?? propertyOf(variant, key, this)
    properties.set(key, known)
    return known
  }

  expand({ key, nodes }: Conjunction): readonly Variant[] {
    const known = this.known.get(key)
    if (known) return known
    const [first = this.document.anything, ...rest] = nodes
    const variants = rest.reduce(
      (all, node) => this.nodes.intersect(all, this.nodes.expand(node)),
      this.nodes.expand(first),
    )
    this.known.set(key, variants)
    if (first.id > 0 && !this.places.has(variants)) this.places.set(variants, first)
    return variants
  }

  placeOf(variants: readonly Variant[]): SchemaNode | undefined {
    return this.places.get(variants)
  }

  expandIfPossible(conjunction: Conjunction): readonly Variant[] | undefined {
    try {
      return this.expand(conjunction)
    } catch (error) {
      if (error instanceof EndlessReference) return undefined
      throw error
    }
  }
}
