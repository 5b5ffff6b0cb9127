import { choice, nothing, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import { boundedRepeat } from '../repetition.js'
import { isUnconstrained } from '../schema/alternative.js'
import type { Alternative } from '../schema/alternative.js'
import { maxOfKeyword, minOfKeyword } from '../schema/document.js'
import type { JsonObject } from '../schema/document.js'
import { ObjectShape } from '../schema/object-shape.js'
import { separator } from './arrays.js'
import { otherKeys } from './object-keys.js'
import type { KeySet } from './object-keys.js'
import { otherKey, Overlaps } from './overlaps.js'
import type { ValueContext } from './value-context.js'

/** Rules for objects, one per alternative, with the properties in the declared order. */
export const objectsExpression = (alternatives: readonly Alternative[], context: ValueContext): Expression[] => {
  const free = alternatives.find(isUnconstrained)
  const objects = (free ? [free] : alternatives).map((each) => new ObjectWriter(each, context))
  const overlaps = new Overlaps(objects, context)
  return objects.map((each) => each.write(overlaps))
}

class ObjectWriter {
  readonly shape: ObjectShape
  /** The named properties that have a valid value. */
  readonly named: readonly string[]
  private readonly others: readonly KeySet[]
  private readonly minProperties: number
  private readonly maxProperties: number

  constructor(
    private readonly alternative: Alternative,
    private readonly context: ValueContext,
  ) {
    const { resolver } = context
    const shape = ObjectShape.of(alternative, resolver)
    this.shape = shape
    this.named = shape.named.filter(
      (name) => shape.required.has(name) || resolver.alternativesOf(shape.property(name)).length > 0,
    )
    this.minProperties = maxOfKeyword(alternative.nodes, 'minProperties', 0)
    this.maxProperties = minOfKeyword(alternative.nodes, 'maxProperties', Infinity)
    const isClosed = shape.isClosed && this.minProperties <= this.named.length
    const others = this.maxOthers > 0 ? otherKeys(shape, isClosed, context) : []
    this.others = others.filter(({ schemas }) => resolver.alternativesOf(schemas).length > 0)
  }

  get isOpen(): boolean {
    return this.others.length > 0
  }

  write(overlaps: Overlaps): Expression {
    this.reportUnlessEnforced('maxProperties', this.maxProperties >= this.named.length)
    // other keys may repeat each other, so any number of them counts as one property
    this.reportUnlessEnforced('minProperties', this.minProperties <= Math.max(1, this.shape.required.size))
    this.context.reportUnenforced(this.shape.unenforced)
    const { rules, budget } = this.context
    let { keys, more } = this.afterNamed(overlaps)
    let isComplete = true
    let optionalKeys = 0
    for (const name of [...this.named].reverse()) {
      const isRequired = this.shape.required.has(name)
      const property = sequence(this.property(name, overlaps), more)
      optionalKeys = isRequired ? 0 : optionalKeys + 1
      budget.check('properties', optionalKeys)
      keys = rules.add('object', isRequired ? property : choice(property, keys))
      isComplete &&= !isRequired
      more = choice(...(isComplete ? [text('}')] : []), sequence(separator(',', rules), keys))
    }
    const mayBeEmpty = isComplete && this.minProperties === 0
    return sequence(text('{'), choice(...(mayBeEmpty ? [text('}')] : []), keys))
  }

  /** The rest of an object after its named properties: `keys` follows a brace or comma, and `more` a property. */
  private afterNamed(overlaps: Overlaps): { keys: Expression; more: Expression } {
    if (!this.isOpen) return { keys: nothing, more: text('}') }
    const { rules } = this.context
    const pair = this.otherPair(overlaps)
    const { name: next } = rules.add('next', sequence(separator(',', rules), pair))
    return {
      keys: sequence(pair, boundedRepeat(next, 0, this.maxOthers - 1, rules), text('}')),
      more: sequence(boundedRepeat(next, 0, this.maxOthers, rules), text('}')),
    }
  }

  private property(name: string, overlaps: Overlaps): Expression {
    const value = this.context.value(this.shape.property(name), overlaps.parses(this, name))
    return sequence(text(JSON.stringify(name)), separator(':', this.context.rules), value)
  }

  /** A key that is not named, with its value. */
  private otherPair(overlaps: Overlaps): Expression {
    const { rules } = this.context
    const parses = this.others.length * overlaps.parses(this, otherKey)
    const ways = this.others.map(({ key, schemas }) =>
      sequence(key, separator(':', rules), this.context.value(schemas, parses)),
    )
    return rules.add('pair', choice(...ways))
  }

  /** The maximum number of properties that are not named, which come last, where all named ones are present. */
  private get maxOthers(): number {
    const left = this.maxProperties - this.named.length
    return left < 0 ? Infinity : left
  }

  private reportUnlessEnforced(keyword: string, isHeld: boolean): void {
    const origins = this.alternative.nodes.filter(({ schema }) => keyword in (schema as JsonObject))
    if (!isHeld) this.context.reportUnenforced(origins.map((node) => ({ keyword, node })))
  }
}
