import { AutomatonTooLarge, allBut, isEmpty, lengths } from '../automaton/automaton.js'
import type { Automaton } from '../automaton/automaton.js'
import { difference, intersection, union } from '../automaton/product.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'
import type { SchemaNode } from '../schema/node.js'
import type { Conjunction, NormalForms } from '../schema/normal-forms.js'
import type { ObjectVariant, Origin, StringVariant, Variant } from '../schema/variant.js'
import { meansOnlyDeclared } from '../schema/views.js'
import { otherKey } from './other-keys.js'
import { stringAutomaton, textExpression } from './strings.js'

/** Keys that are not named one by one, and the schema of their values. */
export interface KeySet {
  readonly key: string
  /** What follows the opening quotation mark, as far as the closing one. */
  readonly write: (rules: Rules) => Expression
  readonly variants: readonly Variant[]
}

/** Whether keys other than the object's own may be written. False only where that is plain to see. */
export const mayHaveOthers = (variant: ObjectVariant): boolean =>
  variant.layers.some(({ patterns }) => patterns.length > 0) ||
  (variant.layers.every(({ additional }) => additional.schema !== false) &&
    (variant.least.value > 0 || !meansOnlyDeclared(variant)))

/**
 * Keys other than those named, by which patterns they fit; if closed, only those that fit some. None where no automaton
 * of a reasonable size tells them.
 */
export const otherKeys = (
  variant: ObjectVariant,
  named: readonly string[],
  closed: boolean,
  expander: NormalForms,
): KeySet[] => {
  const hasPatterns = variant.layers.some(({ patterns }) => patterns.length > 0)
  if (variant.names.length > 0 || hasPatterns) return keysByPattern(variant, named, closed, expander)
  if (closed) return []
  const variants = expander.expand(valueOf(variant, new Set(), expander))
  if (variants.length === 0) return []
  return [{ key: JSON.stringify(named), write: (rules) => otherKey(named, rules), variants }]
}

const keysByPattern = (
  variant: ObjectVariant,
  named: readonly string[],
  closed: boolean,
  expander: NormalForms,
): KeySet[] => {
  const sources = [...new Set(variant.layers.flatMap(({ patterns }) => patterns.map(({ source }) => source)))]
  try {
    const keys = allowedNames(variant, expander)
    const regions = sources.reduce<readonly Region[]>(
      (all, source) => split(all, source, expander),
      [
        {
          keys: keys ? intersection(keys, allBut(named), expander.patterns.spend) : allBut(named),
          fitting: new Set<string>(),
        },
      ],
    )
    return regions
      .filter(({ keys: left, fitting }) => !isEmpty(left) && (fitting.size > 0 || !closed))
      .map((region) => ({
        key: JSON.stringify([named, variant.names.map(({ id }) => id), sources, [...region.fitting]]),
        write: (rules: Rules) => textExpression(region.keys, rules, 'key'),
        variants: expander.expand(valueOf(variant, region.fitting, expander)),
      }))
      .filter(({ variants }) => variants.length > 0)
  } catch (error) {
    if (error instanceof AutomatonTooLarge) return []
    throw error
  }
}

interface Region {
  readonly keys: Automaton
  /** Patterns that these keys fit. */
  readonly fitting: ReadonlySet<string>
}

const split = (regions: readonly Region[], source: string, { patterns }: NormalForms): Region[] => {
  const automaton = patterns.sureAutomaton(source)
  return regions
    .flatMap(({ keys, fitting }) => [
      { keys: intersection(keys, automaton, patterns.spend), fitting: new Set([...fitting, source]) },
      { keys: difference(keys, automaton, patterns.spend), fitting },
    ])
    .filter(({ keys }) => !isEmpty(keys))
}

const valueOf = ({ layers }: ObjectVariant, fitting: ReadonlySet<string>, expander: NormalForms): Conjunction =>
  expander.conjunction(
    layers.flatMap(({ patterns, additional }): SchemaNode[] => {
      const nodes = patterns.filter(({ source }) => fitting.has(source)).map(({ value }) => value)
      return nodes.length ? nodes : [additional]
    }),
  )

/** By `propertyNames`. */
const allowedNames = ({ names }: ObjectVariant, expander: NormalForms): Automaton | undefined => {
  const { patterns } = expander
  const { spend } = patterns
  return names.reduce<Automaton | undefined>((keys, node) => {
    const sets = namesOf(node, expander).map(
      (variant) => stringAutomaton(variant, patterns) ?? lengths(variant.minLength, variant.maxLength, spend),
    )
    const allowed = sets.reduce<Automaton>((all, each) => union(all, each, spend), { states: [] })
    return keys ? intersection(keys, allowed, spend) : allowed
  }, undefined)
}

/** What `propertyNames` leave out. */
export const unheldNames = ({ names }: ObjectVariant, expander: NormalForms): readonly Origin[] =>
  names.flatMap((node) => namesOf(node, expander).flatMap(({ unheld }) => unheld))

const namesOf = (node: SchemaNode, expander: NormalForms): StringVariant[] =>
  expander.expand(expander.conjunction([node])).filter((variant) => variant.type === 'string')
