import type { Budget } from '../budget.js'
import { Disjointness } from './disjoint.js'
import type { SchemaDocument } from './document.js'
import { exclusiveVariants } from './exclusive.js'
import type { SchemaNode } from './node.js'
import { intersectVariants, joinOrigins, sizeOf } from './intersect.js'
import { isObject } from './keywords.js'
import type { JsonObject } from './keywords.js'
import { literalVariants } from './literals.js'
import { everything, ownVariants } from './own/index.js'
import type { NormalForms } from './normal-forms.js'
import type { Patterns } from './patterns.js'
import { normalise } from './normalise.js'
import { isFree, keyOf } from './variant.js'
import type { Origin, Variant } from './variant.js'

/** Keywords that narrow what a schema says by itself, in the order in which they are applied. */
const narrowing = [
  'enum',
  'const',
  '$ref',
  '$recursiveRef',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'if',
  'oneOf',
  'not',
] as const
type Narrowing = (typeof narrowing)[number]

/** A schema that is needed to say what it is itself. */
export class EndlessReference extends Error {
  constructor(readonly node: SchemaNode) {
    super()
  }
}

/** Brings single schemas into their normal form, by what they say themselves and by those that they combine. */
export class NodeExpander {
  private readonly known = new Map<SchemaNode, readonly Variant[]>()
  private readonly inProgress = new Set<SchemaNode>()
  private readonly document: SchemaDocument
  private readonly patterns: Patterns
  private readonly disjointness: Disjointness

  constructor(
    forms: NormalForms,
    private readonly budget: Budget,
  ) {
    this.document = forms.document
    this.patterns = forms.patterns
    this.disjointness = new Disjointness(forms, forms.patterns, budget)
  }

  /** @throws EndlessReference */
  expand(node: SchemaNode): readonly Variant[] {
    const known = this.known.get(node)
    if (known) return known
    if (this.inProgress.has(node)) throw new EndlessReference(node)
    this.budget.check('depth', this.inProgress.size)
    this.budget.spend('steps', 4)
    this.inProgress.add(node)
    try {
      const variants = this.combine(node)
      this.known.set(node, variants)
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
    return this.intersect(variants, this.expand(this.document.resolve(node, keyword, reference)))
  }

  private applyAllOf(variants: readonly Variant[], branches: readonly SchemaNode[]): readonly Variant[] {
    return branches.reduce((all, branch) => this.intersect(all, this.expand(branch)), variants)
  }

  private applyAnyOf(variants: readonly Variant[], branches: readonly SchemaNode[]): readonly Variant[] {
    return this.intersect(variants, normalise(branches.flatMap((branch) => this.expand(branch))))
  }

  private applyOneOf(
    variants: readonly Variant[],
    node: SchemaNode,
    branches: readonly SchemaNode[],
  ): readonly Variant[] {
    const each = branches.map((branch) => this.intersect(variants, this.expand(branch)))
    const exclusive = exclusiveVariants(each, this.disjointness, this.document)
    return exclusive ? normalise(exclusive) : withOrigin(normalise(each.flat()), { keyword: 'oneOf', node })
  }

  private applyIf(variants: readonly Variant[], node: SchemaNode, schema: JsonObject): readonly Variant[] {
    const { if: condition } = schema
    if (!('then' in schema || 'else' in schema)) return variants
    const isTrivial = typeof condition === 'boolean' || (isObject(condition) && Object.keys(condition).length === 0)
    if (!isTrivial) return withOrigin(variants, { keyword: 'if', node })
    const branch = condition === false ? 'else' : 'then'
    return branch in schema ? this.intersect(variants, this.expand(this.document.child(node, branch))) : variants
  }

  /** Held for whole types, for listed values, and where nothing of what is excluded is allowed anyway. */
  private applyNot(variants: readonly Variant[], node: SchemaNode): readonly Variant[] {
    const excluded = this.expand(this.document.child(node, 'not'))
    return variants.flatMap((variant) => {
      if (excluded.some((other) => covers(other, variant))) return []
      const open = excluded.filter((other) => !this.disjointness.ofVariants(variant, other))
      return open.length ? withOrigin([variant], { keyword: 'not', node }) : [variant]
    })
  }

  private branches(node: SchemaNode, schema: JsonObject, keyword: Narrowing): SchemaNode[] {
    return (schema[keyword] as readonly unknown[]).map((_, index) => this.document.child(node, keyword, index))
  }

  /** What both allow. */
  intersect(a: readonly Variant[], b: readonly Variant[]): readonly Variant[] {
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

const covers = (all: Variant, some: Variant): boolean =>
  all.type === some.type && (isFree(all) || (all.unheld.length === 0 && keyOf(all) === keyOf(some)))

const withOrigin = (variants: readonly Variant[], origin: Origin): Variant[] =>
  variants.map((variant) => ({ ...variant, unheld: joinOrigins(variant.unheld, [origin]) }))
