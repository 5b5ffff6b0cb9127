import type { Budget } from '../budget.js'
import { Disjointness } from './disjoint.js'
import type { SchemaDocument } from './document.js'
import { exclusiveVariants } from './exclusive.js'
import type { SchemaNode } from './node.js'
import { intersectVariants, joinOrigins } from './intersect.js'
import { isObject } from './keywords.js'
import type { JsonObject } from './keywords.js'
import { literalVariants } from './literals.js'
import { everything, ownVariants } from './own/index.js'
import type { Conjunction, NormalForms } from './normal-forms.js'
import type { Patterns } from './patterns.js'
import { normalise } from './normalise.js'
import { isFree, keyOf } from './variant.js'
import type { ObjectVariant, Origin, Variant } from './variant.js'
import { propertyOf } from './views.js'

/** Keywords that narrow what a schema says by itself, in the order in which they are applied. */
const narrowing = ['enum', 'const', '$ref', '$recursiveRef', '$dynamicRef', 'allOf', 'anyOf', 'if', 'oneOf', 'not'] as const
type Narrowing = (typeof narrowing)[number]

/** A schema that is needed to say what it is itself. */
export class EndlessReference extends Error {
  constructor(readonly node: SchemaNode) {
    super()
  }
}

/** Brings schemas into their normal form, a level at a time: items and properties stay schemas. */
export class Expander implements NormalForms {
  private readonly ofNodes = new Map<SchemaNode, readonly Variant[]>()
  private readonly ofConjunctions = new Map<string, readonly Variant[]>()
  private readonly ofProperties = new Map<ObjectVariant, Map<string, Conjunction>>()
  private readonly inProgress = new Set<SchemaNode>()
  private readonly disjointness: Disjointness

  constructor(
    readonly document: SchemaDocument,
    readonly patterns: Patterns,
    private readonly budget: Budget,
  ) {
    this.disjointness = new Disjointness(this, patterns, budget)
  }

  conjunction(nodes: readonly SchemaNode[]): Conjunction {
    if (nodes.some(({ schema }) => schema === false)) return { key: 'false', nodes: [this.document.nothing] }
    const narrow = nodes.filter(({ schema }) => schema !== true)
    const distinct = narrow.length < 2 ? narrow : [...new Set(narrow)].sort((a, b) => a.id - b.id)
    return { key: distinct.map(({ id }) => id).join(), nodes: distinct }
  }

  property(variant: ObjectVariant, key: string): Conjunction {
    const properties = this.ofProperties.get(variant) ?? new Map<string, Conjunction>()
    this.ofProperties.set(variant, properties)
    const known = properties.get(key) ?? propertyOf(variant, key, this)
    properties.set(key, known)
    return known
  }

  expand({ key, nodes }: Conjunction): readonly Variant[] {
    const known = this.ofConjunctions.get(key)
    if (known) return known
    const [first = this.document.anything, ...rest] = nodes
    const variants = rest.reduce((all, node) => this.intersect(all, this.expandNode(node)), this.expandNode(first))
    this.ofConjunctions.set(key, variants)
    return variants
  }

  private expandNode(node: SchemaNode): readonly Variant[] {
    const known = this.ofNodes.get(node)
    if (known) return known
    if (this.inProgress.has(node)) throw new EndlessReference(node)
    this.budget.check('depth', this.inProgress.size)
    this.budget.spend('steps', 4)
    this.inProgress.add(node)
    try {
      const variants = this.combine(node)
      this.ofNodes.set(node, variants)
      return variants
    } finally {
      this.inProgress.delete(node)
    }
  }

  private combine(node: SchemaNode): readonly Variant[] {
    const { schema } = node
    if (schema === false) return []
    if (schema === true) return everything
    let variants = ownVariants(node, schema, this.document, this.patterns)
    for (const keyword of narrowing)
      if (keyword in schema && variants.length > 0) variants = this.narrow(variants, node, schema, keyword)
    return variants
  }

  private narrow(
    variants: readonly Variant[],
    node: SchemaNode,
    schema: JsonObject,
    keyword: Narrowing,
  ): readonly Variant[] {
    switch (keyword) {
      case 'enum':
        return this.applyLiterals(variants, node, schema[keyword] as readonly unknown[])
      case 'const':
        return this.applyLiterals(variants, node, [schema[keyword]])
      case '$ref':
      case '$recursiveRef':
      case '$dynamicRef':
        return this.applyReference(variants, node, keyword, schema[keyword] as string)
      case 'allOf':
        return this.applyAllOf(variants, this.branches(node, schema, keyword))
      case 'anyOf':
        return this.applyAnyOf(variants, this.branches(node, schema, keyword))
      case 'if':
        return this.applyIf(variants, node, schema)
      case 'oneOf':
        return this.applyOneOf(variants, node, this.branches(node, schema, keyword))
      case 'not':
        return this.applyNot(variants, node)
    }
  }

  private applyLiterals(
    variants: readonly Variant[],
    node: SchemaNode,
    values: readonly unknown[],
  ): readonly Variant[] {
    for (const value of values) this.budget.spend('steps', 1 + (typeof value === 'string' ? value.length / 8 : 0))
    return this.intersect(variants, literalVariants(values, node, this.document))
  }

  private applyReference(
    variants: readonly Variant[],
    node: SchemaNode,
    keyword: string,
    reference: string,
  ): readonly Variant[] {
    if (keyword === '$dynamicRef' && this.document.isDynamic(reference)) return withOrigin(variants, { keyword, node })
    return this.intersect(variants, this.expandNode(this.document.resolve(node, keyword, reference)))
  }

  private applyAllOf(variants: readonly Variant[], branches: readonly SchemaNode[]): readonly Variant[] {
    return branches.reduce((all, branch) => this.intersect(all, this.expandNode(branch)), variants)
  }

  private applyAnyOf(variants: readonly Variant[], branches: readonly SchemaNode[]): readonly Variant[] {
    return this.intersect(variants, normalise(branches.flatMap((branch) => this.expandNode(branch))))
  }

  private applyOneOf(
    variants: readonly Variant[],
    node: SchemaNode,
    branches: readonly SchemaNode[],
  ): readonly Variant[] {
    const each = branches.map((branch) => this.intersect(variants, this.expandNode(branch)))
    const exclusive = exclusiveVariants(each, this.disjointness, this.document)
    return exclusive ? normalise(exclusive) : withOrigin(normalise(each.flat()), { keyword: 'oneOf', node })
  }

  private applyIf(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    const { if: condition } = schema
    if (!('then' in schema || 'else' in schema)) return variants
    const isTrivial = typeof condition === 'boolean' || (isObject(condition) && Object.keys(condition).length === 0)
    if (!isTrivial) return withOrigin(variants, { keyword: 'if', node })
    const branch = condition === false ? 'else' : 'then'
    return branch in schema ? this.intersect(variants, this.expandNode(this.document.child(node, branch))) : variants
  }

  expandIfPossible(conjunction: Conjunction): readonly Variant[] | undefined {
    try {
      return this.expand(conjunction)
    } catch (error) {
      if (error instanceof EndlessReference) return undefined
      throw error
    }
  }

  /** Held for whole types, for listed values, and where nothing of what is excluded is allowed anyway. */
  private applyNot(variants: readonly Variant[], node: SchemaNode): readonly Variant[] {
    const excluded = this.expandNode(this.document.child(node, 'not'))
    return variants.flatMap((variant) => {
      if (excluded.some((other) => covers(other, variant))) return []
      const open = excluded.filter((other) => !this.disjointness.ofVariants(variant, other))
      return open.length ? withOrigin([variant], { keyword: 'not', node }) : [variant]
    })
  }

  private branches(node: SchemaNode, schema: JsonObject, keyword: Narrowing): SchemaNode[] {
    return (schema[keyword] as readonly unknown[]).map((_, index) => this.document.child(node, keyword, index))
  }

  private intersect(a: readonly Variant[], b: readonly Variant[]): readonly Variant[] {
    if (a === everything || a === b) return b
    if (b === everything) return a
    const both = a.flatMap((one) =>
      b.flatMap((other) => {
        if (one.type !== other.type) return []
        this.budget.spend('steps', 1 + sizeOf(one) + sizeOf(other))
        return intersectVariants(one, other, this.patterns) ?? []
      }),
    )
    return normalise(both)
  }
}

const sizeOf = (variant: Variant): number => {
  switch (variant.type) {
    case 'object':
      return variant.layers.length + variant.required.size / 4
    case 'array':
      return variant.layers.length
    case 'string':
      return variant.patterns.length
    default:
      return 0
  }
}

const covers = (all: Variant, some: Variant): boolean =>
  all.type === some.type && (isFree(all) || (all.unheld.length === 0 && keyOf(all) === keyOf(some)))

const withOrigin = (variants: readonly Variant[], origin: Origin): Variant[] =>
  variants.map((variant) => ({ ...variant, unheld: joinOrigins(variant.unheld, [origin]) }))
