import { maxOf } from '@sallyport/kit/lists'
import { choice, empty, nothing, rule, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import { counted } from '../repetition.js'
import type { Rules } from '../rules.js'
import type { Conjunction, NormalForms } from '../schema/normal-forms.js'
import type { ArrayVariant } from '../schema/variant.js'
import { itemAt } from '../schema/views.js'
import type { Punctuation } from './punctuation.js'

interface ArrayContext {
  readonly rules: Rules
  readonly expander: NormalForms
  readonly punctuation: Punctuation
  /** The rule of a value. */
  readonly value: (conjunction: Conjunction) => Expression
}

export const arrayExpression = (variant: ArrayVariant, context: ArrayContext): Expression => {
  const prefix = Math.min(
    variant.most,
    maxOf(
      variant.layers.map((layer) => layer.prefix.length),
      0,
    ),
  )
  let tail = restExpression(variant, prefix, context)
  for (let index = prefix - 1; index >= 0; index -= 1) {
    const item = sequence(
      ...(index > 0 ? [context.punctuation.comma] : []),
      context.value(itemAt(variant, index, context.expander)),
      tail,
    )
    tail = rule(context.rules.add('item', index < variant.least ? item : choice(item, empty)))
  }
  return sequence(text('['), tail, text(']'))
}

/** Items behind those that have schemas of their own. */
const restExpression = (variant: ArrayVariant, prefix: number, context: ArrayContext): Expression => {
  const { rules, punctuation } = context
  const [least, most] = [Math.max(0, variant.least - prefix), variant.most - prefix]
  const conjunction = itemAt(variant, prefix, context.expander)
  if (most === 0) return empty
  if (context.expander.expand(conjunction).length === 0) return least === 0 ? empty : nothing
  const item = context.value(conjunction)
  const next = rules.add('next', sequence(punctuation.comma, item))
  if (prefix > 0) return counted(next, least, most, rules)
  const some = sequence(item, counted(next, Math.max(0, least - 1), most - 1, rules))
  return least === 0 ? choice(some, empty) : some
}
