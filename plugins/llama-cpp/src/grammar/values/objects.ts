import { choice, nothing, optional, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import { counted } from '../repetition.js'
import type { Rules } from '../rules.js'
import { isFree } from '../schema/alternative.js'
import type { Alternative } from '../schema/alternative.js'
import { largest, smallest } from '../schema/document.js'
import type { JsonObject } from '../schema/document.js'
import { ObjectShape } from '../schema/object-shape.js'
import { comma } from './arrays.js'
import { otherKeys } from './object-keys.js'
import type { KeySet } from './object-keys.js'
import { otherKey, Overlaps } from './overlaps.js'
import type { ValueContext } from './value-context.js'

/** Objects that fit one of the alternatives, each of which has its properties in the declared order. */
export const objectsExpression = (found: readonly Alternative[], context: ValueContext): Expression[] => {
  const free = found.find(isFree)
  const objects = (free ? [free] : found).map((each) => new ObjectWriter(each, context))
  const overlaps = new Overlaps(objects, context)
  return objects.map((each) => each.write(overlaps))
}

const colon = (rules: Rules): Expression => rules.share(':', 'colon', () => sequence(text(':'), optional(text(' '))))

class ObjectWriter {
  readonly shape: ObjectShape
  /** The named properties that some value fits. */
  readonly named: readonly string[]
  private readonly others: readonly KeySet[]
  private readonly minProperties: number
  private readonly maxProperties: number

  constructor(
    private readonly alternative: Alternative,
    private readonly context: ValueContext,
  ) {
    const { alternatives } = context
    const shape = ObjectShape.of(alternative, alternatives)
    this.shape = shape
    this.named = shape.named.filter(
      (name) => shape.required.has(name) || alternatives.of(shape.property(name)).length > 0,
    )
    this.minProperties = largest(alternative.nodes, 'minProperties', 0)
    this.maxProperties = smallest(alternative.nodes, 'maxProperties', Infinity)
    this.others = this.otherKeys()
  }

  get isOpen(): boolean {
    return this.others.length > 0
  }

  write(overlaps: Overlaps): Expression {
    this.leaveOut('maxProperties', this.maxProperties >= this.named.length)
    // keys that are not named may repeat each other: together, they are surely one property only
    this.leaveOut('minProperties', this.minProperties <= Math.max(1, this.shape.required.size))
    this.context.leaveOut(this.shape.unheld)
    const { rules, budget } = this.context
    let { keys, more, isComplete } = this.behindNamed(overlaps)
    let optionalKeys = 0
    for (const name of [...this.named].reverse()) {
      const isRequired = this.shape.required.has(name)
      const property = sequence(this.property(name, overlaps), more)
      optionalKeys = isRequired ? 0 : optionalKeys + 1
      budget.check('properties', optionalKeys)
      keys = rules.add('object', isRequired ? property : choice(property, keys))
      isComplete &&= !isRequired
      more = choice(...(isComplete ? [text('}')] : []), sequence(comma(rules), keys))
    }
    const mayBeEmpty = isComplete && this.minProperties === 0
    return sequence(text('{'), choice(...(mayBeEmpty ? [text('}')] : []), keys))
  }

  /** What comes when all named properties are written or left out: behind a comma, and behind a property. */
  private behindNamed(overlaps: Overlaps): { keys: Expression; more: Expression; isComplete: boolean } {
    const { maxOthers } = this
    const { rules } = this.context
    if (!this.isOpen) return { keys: nothing, more: text('}'), isComplete: true }
    const pair = this.otherPair(overlaps)
    const { name: next } = rules.add('next', sequence(comma(rules), pair))
    return {
      keys: sequence(pair, counted(next, 0, maxOthers - 1, rules), text('}')),
      more: sequence(counted(next, 0, maxOthers, rules), text('}')),
      isComplete: true,
    }
  }

  private property(name: string, overlaps: Overlaps): Expression {
    const value = this.context.value(this.shape.property(name), overlaps.readings(this, name))
    return sequence(text(JSON.stringify(name)), colon(this.context.rules), value)
  }

  /** A key that is not named, with its value. */
  private otherPair(overlaps: Overlaps): Expression {
    const { rules } = this.context
    const readings = this.others.length * overlaps.readings(this, otherKey)
    const ways = this.others.map(({ key, schemas }) =>
      sequence(key, colon(rules), this.context.value(schemas, readings)),
    )
    return rules.add('pair', choice(...ways))
  }

  private otherKeys(): readonly KeySet[] {
    if (this.maxOthers <= 0) return []
    const isClosed = this.shape.isClosed && this.minProperties <= this.named.length
    return otherKeys(this.shape, this.alternative.forbidden, isClosed, this.context).filter(
      ({ schemas }) => this.context.alternatives.of(schemas).length > 0,
    )
  }

  /** Undeclared properties come last, so many at most that all of the named ones may be there. */
  private get maxOthers(): number {
    const left = this.maxProperties - this.named.length
    return left < 0 ? Infinity : left
  }

  private leaveOut(keyword: string, isHeld: boolean): void {
    const origins = this.alternative.nodes.filter(({ schema }) => keyword in (schema as JsonObject))
    if (!isHeld) this.context.leaveOut(origins.map((node) => ({ keyword, node })))
  }
}
