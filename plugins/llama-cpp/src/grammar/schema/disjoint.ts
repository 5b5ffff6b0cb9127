import type { Budget } from '../budget.js'
import type { Conjunction, NormalForms } from './normal-forms.js'
import { fitsNumber, fitsString, intersectVariants } from './intersect.js'
import type { Patterns } from './patterns.js'
import { keyOf } from './variant.js'
import type { ArrayVariant, NumberVariant, ObjectVariant, StringVariant, Variant } from './variant.js'
import { itemAt } from './views.js'

const maxDepth = 4

/** Whether no value fits two schemas. False where that is not plain to see. */
export class Disjointness {
  private readonly known = new Map<string, boolean>()
  private depth = 0

  constructor(
    private readonly expander: NormalForms,
    private readonly patterns: Patterns,
    private readonly budget: Budget,
  ) {}

  ofLists(a: readonly Variant[], b: readonly Variant[]): boolean {
    return a.every((one) => b.every((other) => this.ofVariants(one, other)))
  }

  ofVariants(a: Variant, b: Variant): boolean {
    this.budget.spend('steps')
    if (a.type !== b.type) return true
    if (a.type === 'boolean' && b.type === 'boolean') return a.value !== b.value
    if (a.type === 'number' && b.type === 'number') return disjointNumbers(a, b, this.patterns)
    if (a.type === 'string' && b.type === 'string') return disjointStrings(a, b, this.patterns)
    if (a.type === 'array' && b.type === 'array') return this.ofArrays(a, b)
    if (a.type === 'object' && b.type === 'object') return this.ofObjects(a, b)
    return false
  }

  private ofArrays(a: ArrayVariant, b: ArrayVariant): boolean {
    if (a.most < b.least || b.most < a.least) return true
    const sure = Math.min(Math.max(a.least, b.least), 16)
    return Array.from({ length: sure }, (_, index) => index).some((index) =>
      this.ofConjunctions(itemAt(a, index, this.expander), itemAt(b, index, this.expander)),
    )
  }

  /** A property that one of them needs, and whose value would not fit the other. */
  private ofObjects(a: ObjectVariant, b: ObjectVariant): boolean {
    if (a.most.value < b.least.value || b.most.value < a.least.value) return true
    for (const key of a.required) if (this.ofProperties(a, b, key)) return true
    for (const key of b.required) if (!a.required.has(key) && this.ofProperties(a, b, key)) return true
    return false
  }

  private ofProperties(a: ObjectVariant, b: ObjectVariant, key: string): boolean {
    this.budget.spend('steps', a.layers.length + b.layers.length)
    return this.ofConjunctions(this.expander.property(a, key), this.expander.property(b, key))
  }

  private ofConjunctions(a: Conjunction, b: Conjunction): boolean {
    if (a.key === b.key && a.key !== 'false') return false
    if (this.depth >= maxDepth) return false
    const key = a.key < b.key ? `${a.key}|${b.key}` : `${b.key}|${a.key}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    this.depth += 1
    const [one, other] = [this.expander.expandIfPossible(a), this.expander.expandIfPossible(b)]
    const disjoint = one && other && this.ofLists(one, other)
    this.depth -= 1
    if (disjoint !== undefined) this.known.set(key, disjoint)
    return disjoint ?? false
  }
}

const disjointNumbers = (a: NumberVariant, b: NumberVariant, patterns: Patterns): boolean => {
  const [listed, other] = a.values ? [a, b] : [b, a]
  if (listed.values)
    return !listed.values.some((value) => (other.values ? other.values.includes(value) : fitsNumber(value, other)))
  return intersectVariants(a, b, patterns) === undefined
}

const disjointStrings = (a: StringVariant, b: StringVariant, patterns: Patterns): boolean => {
  const [listed, other] = a.values ? [a, b] : [b, a]
  if (listed.values)
    return !listed.values.some((value) =>
      other.values ? other.values.includes(value) : fitsString(value, other, patterns),
    )
  return keyOf(a) !== keyOf(b) && intersectVariants(a, b, patterns) === undefined
}
