import type { NormalForms } from '../schema/normal-forms.js'
import type { ObjectVariant, Origin, Variant } from '../schema/variant.js'
import { meansOnlyDeclared } from '../schema/views.js'
import { otherKeys, unheldNames } from './object-keys.js'
import type { KeySet } from './object-keys.js'

/** How far an object is written. */
export interface Progress {
  /** Named properties up to which it is written; or, in any order, a bit for each that is there. */
  readonly at: number
  /** Properties so far, as far as they need to be counted. */
  readonly count: number
  /** Named properties so far, and whether there is another one, as far as that matters. */
  readonly named: number
  readonly others: 0 | 1
}

/** What may come next: a property by its name, or one of a set of keys. */
export interface Step {
  readonly key: string | KeySet
  readonly variants: readonly Variant[]
  readonly to: Progress
}

interface NamedProperty {
  readonly name: string
  readonly variants: readonly Variant[]
  readonly required: boolean
}

export interface ObjectNames {
  /** Properties that the object declares or requires, in their order. */
  readonly own: readonly string[]
  /** And those of the alternatives beside it, which it does not have, so that its keys tell them apart. */
  readonly all: readonly string[]
}

/** Counting properties multiplies states. */
const maxCounted = 64

/** The ways to write the properties of an object: in the declared order, or in any order where they are few. */
export class ObjectMachine {
  readonly start: Progress = { at: 0, count: 0, named: 0, others: 0 }
  readonly unheld: readonly Origin[]
  private readonly properties: readonly NamedProperty[]
  private readonly others: readonly KeySet[]
  private readonly least: number
  private readonly most: number
  private readonly needed: number
  /** One behind the last property that has to be there. */
  private readonly behindRequired: number

  /** @param id tells it from the others of the schema */
  constructor(
    readonly id: number,
    variant: ObjectVariant,
    names: ObjectNames,
    private readonly anyOrder: boolean,
    expander: NormalForms,
  ) {
    this.properties = names.own
      .map((name) => ({
        name,
        variants: expander.expand(expander.property(variant, name)),
        required: variant.required.has(name),
      }))
      .filter(({ variants, required }) => required || variants.length > 0)
    const { least, most } = variant
    const closed = meansOnlyDeclared(variant) && least.value <= this.properties.length
    this.others = otherKeys(variant, names.all, closed, expander)
    const holdsLeast = least.value <= this.properties.length + (this.others.length ? 1 : 0) || this.others.length === 0
    const needsMost = this.others.length > 0 || most.value < this.properties.length
    const holdsMost = !needsMost || most.value <= maxCounted || most.value === Infinity
    const required = this.properties.filter((property) => property.required).length
    this.least = holdsLeast && least.value > required ? least.value : 0
    this.most = needsMost && holdsMost ? most.value : Infinity
    this.needed = this.properties.reduce((bits, property, index) => (property.required ? bits | (1 << index) : bits), 0)
    this.behindRequired = 1 + this.properties.findLastIndex((property) => property.required)
    this.unheld = [
      ...variant.unheld,
      ...unheldNames(variant, expander),
      ...(holdsLeast || !least.origin ? [] : [least.origin]),
      ...(holdsMost || !most.origin ? [] : [most.origin]),
    ]
  }

  accepts({ at, named, others }: Progress): boolean {
    if (named + others < this.least) return false
    return this.anyOrder ? (at & this.needed) === this.needed : at >= this.behindRequired
  }

  steps(progress: Progress): Step[] {
    if (progress.count >= this.most) return []
    const steps = this.anyOrder ? this.inAnyOrder(progress) : this.inOrder(progress)
    for (const key of this.others)
      steps.push({ key, variants: key.variants, to: this.after(progress, progress.at, false) })
    return steps
  }

  private inAnyOrder(progress: Progress): Step[] {
    const steps: Step[] = []
    for (const [index, { name, variants }] of this.properties.entries()) {
      const bit = 1 << index
      if (!(progress.at & bit)) steps.push({ key: name, variants, to: this.after(progress, progress.at | bit, true) })
    }
    return steps
  }

  private inOrder(progress: Progress): Step[] {
    const steps: Step[] = []
    for (let index = progress.at; index < this.properties.length; index += 1) {
      const { name, variants, required } = this.properties[index] as NamedProperty
      steps.push({ key: name, variants, to: this.after(progress, index + 1, true) })
      if (required) break
    }
    return steps
  }

  /** Keys that are not named may repeat each other: together they surely are one property. */
  private after({ count, named, others }: Progress, at: number, isNamed: boolean): Progress {
    return {
      at,
      count: this.most === Infinity ? 0 : count + 1,
      named: Math.min(this.least, isNamed ? named + 1 : named),
      others: isNamed || this.least === 0 ? others : 1,
    }
  }
}
