import { maxOf } from '@sallyport/kit/lists'
import type { Budget } from '../budget.js'
import type { Patterns } from '../patterns/patterns.js'
import { anyValue, distinct, intersect, isUnconstrained, ownAlternative, simplify, typeOf } from './alternative.js'
import type { Alternative, KeywordLocation, Scalar, SchemaResolver } from './alternative.js'
import { isObject } from './document.js'
import type { JsonObject, SchemaDocument, SchemaNode } from './document.js'
import { isExclusive, narrowToExclude } from './exclusive.js'

/** Resolves schemas into their alternatives. */
export class AlternativeResolver implements SchemaResolver {
  private readonly known = new Map<SchemaNode, readonly Alternative[]>()
  private readonly inProgress = new Set<SchemaNode>()

  constructor(
    readonly document: SchemaDocument,
    readonly patterns: Patterns,
    private readonly budget: Budget,
  ) {}

  spend(steps: number): void {
    this.budget.spend('steps', steps)
  }

  alternativesOf(nodes: readonly SchemaNode[]): readonly Alternative[] {
    return nodes.reduce<readonly Alternative[]>((all, node) => this.product(all, this.ofNode(node)), [anyValue])
  }

  ifResolved(nodes: readonly SchemaNode[]): readonly Alternative[] | undefined {
    return nodes.some((node) => this.inProgress.has(node)) ? undefined : this.alternativesOf(nodes)
  }

  private ofNode(node: SchemaNode): readonly Alternative[] {
    const known = this.known.get(node)
    if (known) return known
    if (this.inProgress.has(node))
      throw this.document.invalid(node.path, 'leads only to itself by $ref: say what the value is')
    this.budget.check('depth', this.inProgress.size)
    this.spend(4)
    this.inProgress.add(node)
    try {
      const alternatives = this.resolve(node)
      this.known.set(node, alternatives)
      return alternatives
    } finally {
      this.inProgress.delete(node)
    }
  }

  private resolve(node: SchemaNode): readonly Alternative[] {
    const { schema } = node
    if (typeof schema === 'boolean') return schema ? [anyValue] : []
    let alternatives: readonly Alternative[] = [ownAlternative(node, schema)]
    for (const keyword of ['enum', 'const'])
      if (keyword in schema) alternatives = this.product(alternatives, this.literals(node, keyword, schema[keyword]))
    if ('$ref' in schema) alternatives = this.product(alternatives, this.reference(node, String(schema['$ref'])))
    for (const branch of this.branches(node, 'allOf')) alternatives = this.product(alternatives, this.ofNode(branch))
    const anyOf = this.branches(node, 'anyOf').flatMap((branch) => this.ofNode(branch))
    if ('anyOf' in schema) alternatives = this.product(alternatives, simplify(anyOf))
    if ('oneOf' in schema) alternatives = this.exactlyOne(alternatives, node)
    if ('not' in schema) alternatives = this.exclude(alternatives, node)
    const conditional = 'then' in schema || 'else' in schema ? ['if'] : []
    const unenforced = ['$dynamicRef', '$recursiveRef', ...conditional].filter((keyword) => keyword in schema)
    return unenforced.reduce((all, keyword) => withUnenforced(all, { keyword, node }), alternatives)
  }

  private branches(node: SchemaNode, keyword: string): readonly SchemaNode[] {
    const value = (node.schema as JsonObject)[keyword]
    return Array.isArray(value) ? value.map((_, index) => this.document.child(node, keyword, index)) : []
  }

  private reference(node: SchemaNode, reference: string): readonly Alternative[] {
    const target = this.document.resolve(node, reference)
    return target ? this.ofNode(target) : withUnenforced([anyValue], { keyword: '$ref', node })
  }

  /** Scalars are one alternative; each array and object becomes a schema that only it fits. */
  private literals(node: SchemaNode, keyword: string, value: unknown): readonly Alternative[] {
    const literals = keyword === 'const' ? [value] : Array.isArray(value) ? (value as unknown[]) : []
    for (const literal of literals) this.spend(1 + (typeof literal === 'string' ? literal.length / 8 : 0))
    const values = literals.filter((literal) => typeof literal !== 'object' || literal === null) as Scalar[]
    const others = literals.filter((literal) => typeof literal === 'object' && literal !== null)
    return [
      ...(values.length ? [{ ...anyValue, types: new Set(values.map(typeOf)), values: distinct(values) }] : []),
      ...others.flatMap((literal) => this.ofNode(this.document.newNode(schemaOf(literal), node.path))),
    ]
  }

  private exactlyOne(alternatives: readonly Alternative[], node: SchemaNode): readonly Alternative[] {
    const branches = this.branches(node, 'oneOf').map((branch) => this.product(alternatives, this.ofNode(branch)))
    const narrow = branches.flatMap((branch, index) => {
      const others = branches.filter((_, at) => at !== index).flat()
      return branch.map((alternative) => narrowToExclude(alternative, others, this))
    })
    const isEnforced = narrow.every((alternative) => alternative !== undefined)
    return isEnforced ? simplify(narrow) : withUnenforced(simplify(branches.flat()), { keyword: 'oneOf', node })
  }

  /** `not` is enforced where it excludes whole types, or values that are not allowed anyway. */
  private exclude(alternatives: readonly Alternative[], node: SchemaNode): readonly Alternative[] {
    const excluded = this.ofNode(this.document.child(node, 'not'))
    const freeTypes = new Set(excluded.filter(isUnconstrained).flatMap(({ types }) => [...types]))
    const open = excluded.filter((alternative) => !isUnconstrained(alternative))
    return alternatives.flatMap((alternative) => {
      const types = new Set([...alternative.types].filter((type) => !freeTypes.has(type)))
      if (types.size === 0) return []
      const left = { ...alternative, types }
      return open.every((other) => isExclusive(left, other, this))
        ? [left]
        : withUnenforced([left], { keyword: 'not', node })
    })
  }

  private product(a: readonly Alternative[], b: readonly Alternative[]): readonly Alternative[] {
    if (a.length === 1 && a[0] === anyValue) return b
    if (b.length === 1 && b[0] === anyValue) return a
    this.spend(a.length * b.length * (1 + (maxNodes(a) + maxNodes(b)) / 4))
    return simplify(a.flatMap((one) => b.flatMap((other) => intersect(one, other) ?? [])))
  }
}

const maxNodes = (alternatives: readonly Alternative[]): number => {
  const counts = alternatives.map(({ nodes }) => nodes.length)
  return maxOf(counts, 0)
}

const withUnenforced = (alternatives: readonly Alternative[], origin: KeywordLocation): readonly Alternative[] =>
  alternatives.map((alternative) => ({ ...alternative, unenforced: [...alternative.unenforced, origin] }))

const schemaOf = (literal: unknown): JsonObject => {
  if (Array.isArray(literal)) {
    const prefixItems = literal.map((item: unknown) => ({ const: item }))
    return { type: 'array', prefixItems, minItems: literal.length, maxItems: literal.length }
  }
  const entries = Object.entries(isObject(literal) ? literal : {})
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, value]) => [key, { const: value }])),
    required: entries.map(([key]) => key),
    additionalProperties: false,
  }
}
