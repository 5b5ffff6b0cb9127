import { choice, empty, nothing, optional, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import { boundedRepeat } from '../repetition.js'
import type { Rules } from '../rules.js'
import type { Alternative } from '../schema/alternative.js'
import { ArrayShape } from '../schema/array-shape.js'
import type { ValueContext } from './value-context.js'

/** One space may follow, as models write it. More is not allowed, because models may not stop writing white space. */
export const separator = (sign: ',' | ':', rules: Rules): Expression =>
  rules.share(sign, 'separator', () => sequence(text(sign), optional(text(' '))))

/** @param parses number of alternatives that are arrays, which all begin alike */
export const arrayExpression = (alternative: Alternative, parses: number, context: ValueContext): Expression => {
  const shape = new ArrayShape(alternative, context.resolver.document)
  context.reportUnenforced(shape.unenforced)
  let tail = furtherItems(shape, parses, context)
  for (let index = shape.prefixLength - 1; index >= 0; index -= 1) {
    const item = sequence(
      ...(index > 0 ? [separator(',', context.rules)] : []),
      context.value(shape.itemAt(index), parses),
      tail,
    )
    tail = context.rules.add('item', index < shape.min ? item : choice(item, empty))
  }
  return sequence(text('['), tail, text(']'))
}

/** The items after those that have schemas of their own. */
const furtherItems = (shape: ArrayShape, parses: number, context: ValueContext): Expression => {
  const { rules } = context
  const min = Math.max(0, shape.min - shape.prefixLength)
  const max = shape.max - shape.prefixLength
  if (max < min) return nothing
  if (max === 0) return empty
  const item = context.value(shape.itemAt(shape.prefixLength), parses)
  const next = rules.add('next', sequence(separator(',', rules), item)).name
  if (shape.prefixLength > 0) return boundedRepeat(next, min, max, rules)
  const some = sequence(item, boundedRepeat(next, Math.max(0, min - 1), max - 1, rules))
  return min === 0 ? choice(some, empty) : some
}
