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
import type { Origin, Variant } from './variant.js'

/** Narrows the variants of a schema by some of its keywords. */
type Applier = (variants: readonly Variant[], node: SchemaNode, schema: JsonObject) => readonly Variant[]

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
  private readonly inProgress = new Set<SchemaNode>()
  private readonly disjointness: Disjointness
  private readonly appliers: readonly Applier[] = [
    (...applied) => this.applyLiterals(...applied),
    (...applied) => this.applyReferences(...applied),
    (...applied) => this.applyAllOf(...applied),
    (...applied) => this.applyAnyOf(...applied),
    (...applied) => this.applyIf(...applied),
    (...applied) => this.applyOneOf(...applied),
    (...applied) => this.applyNot(...applied),
  ]

  constructor(
    readonly document: SchemaDocument,
    readonly patterns: Patterns,
    private readonly budget: Budget,
  ) {
    this.disjointness = new Disjointness(this, patterns, budget)
  }

  conjunction(nodes: readonly SchemaNode[]): Conjunction {
    if (nodes.some(({ schema }) => schema === false)) return { key: 'false', nodes: [this.document.nothing] }
    const distinct = [...new Set(nodes)].filter(({ schema }) => schema !== true).sort((a, b) => a.id - b.id)
    return { key: distinct.map(({ id }) => id).join(), nodes: distinct }
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
    const own = ownVariants(node, schema, this.document, this.patterns)
    return this.appliers.reduce<readonly Variant[]>((all, apply) => (all.length ? apply(all, node, schema) : all), own)
  }

  private applyLiterals(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    const lists = [
      ...(Array.isArray(schema['enum']) ? [schema['enum']] : []),
      ...('const' in schema ? [[schema['const']]] : []),
    ]
    return lists.reduce<readonly Variant[]>((all, list) => {
      this.budget.spend(
        'steps',
        list.reduce<number>((sum, value) => sum + 1 + (typeof value === 'string' ? value.length / 8 : 0), 0),
      )
      return this.intersect(all, literalVariants(list, node, this.document))
    }, variants)
  }

  private applyReferences(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    return ['$ref', '$recursiveRef', '$dynamicRef'].reduce((all, keyword) => {
      const reference = schema[keyword]
      if (typeof reference !== 'string') return all
      if (keyword === '$dynamicRef' && this.document.isDynamic(reference)) return withOrigin(all, { keyword, node })
      return this.intersect(all, this.expandNode(this.document.resolve(node, keyword, reference)))
    }, variants)
  }

  private applyAllOf(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    return this.branches(node, schema, 'allOf').reduce(
      (all, branch) => this.intersect(all, this.expandNode(branch)),
      variants,
    )
  }

  private applyAnyOf(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    const branches = this.branches(node, schema, 'anyOf')
    if (branches.length === 0) return variants
    return this.intersect(variants, normalise(branches.flatMap((branch) => this.expandNode(branch))))
  }

  private applyOneOf(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    const branches = this.branches(node, schema, 'oneOf')
    if (branches.length === 0) return variants
    const each = branches.map((branch) => this.intersect(variants, this.expandNode(branch)))
    const exclusive = exclusiveVariants(each, this.disjointness, this.document)
    return exclusive ? normalise(exclusive) : withOrigin(normalise(each.flat()), { keyword: 'oneOf', node })
  }

  private applyIf(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    const { if: condition } = schema
    if (condition === undefined || !('then' in schema || 'else' in schema)) return variants
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
  private applyNot(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    if (schema['not'] === undefined) return variants
    const excluded = this.expandNode(this.document.child(node, 'not'))
    return variants.flatMap((variant) => {
      if (excluded.some((other) => covers(other, variant))) return []
      const open = excluded.filter((other) => !this.disjointness.ofVariants(variant, other))
      return open.length ? withOrigin([variant], { keyword: 'not', node }) : [variant]
    })
  }

  private branches(node: SchemaNode, schema: JsonObject, keyword: string): SchemaNode[] {
    const list = schema[keyword]
    return Array.isArray(list) ? list.map((_, index) => this.document.child(node, keyword, index)) : []
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
