import { AutomatonTooLarge, allBut, isEmpty, lengths } from '../automaton/automaton.js'
import type { Automaton } from '../automaton/automaton.js'
import { difference, intersection, union } from '../automaton/product.js'
import type { SchemaNode } from '../schema/document.js'
import type { Conjunction, Expander } from '../schema/expander.js'
import type { ObjectVariant, Origin } from '../schema/variant.js'
import { stringAutomaton } from './strings.js'

/** Keys that are not named one by one, and the schema of their values. */
export interface KeySet {
  readonly key: string
  readonly keys: Automaton
  readonly value: Conjunction
  readonly unheld: readonly Origin[]
}

/** Keys other than those named, by which patterns they fit. None where no automaton of a reasonable size tells them. */
export const otherKeys = (variant: ObjectVariant, named: readonly string[], expander: Expander): KeySet[] => {
  const sources = [...new Set(variant.layers.flatMap(({ patterns }) => patterns.map(({ source }) => source)))]
  if (sources.length === 0 && expander.expand(valueOf(variant, new Set(), expander)).length === 0) return []
  try {
    const { keys, unheld } = allowedNames(variant, expander)
    const regions = sources.reduce<readonly Region[]>(
      (all, source) => split(all, source, expander),
      [{ keys: keys ? intersection(keys, allBut(named)) : allBut(named), fitting: new Set<string>() }],
    )
    return regions
      .filter((region) => !isEmpty(region.keys))
      .map((region) => ({
        key: JSON.stringify([named, variant.names.map(({ id }) => id), sources, [...region.fitting]]),
        keys: region.keys,
        value: valueOf(variant, region.fitting, expander),
        unheld,
      }))
      .filter(({ value }) => expander.expand(value).length > 0)
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

const split = (regions: readonly Region[], source: string, { patterns }: Expander): Region[] => {
  const automaton = patterns.automaton(source)
  if (!automaton) throw new AutomatonTooLarge()
  return regions
    .flatMap(({ keys, fitting }) => [
      { keys: intersection(keys, automaton), fitting: new Set([...fitting, source]) },
      { keys: difference(keys, automaton), fitting },
    ])
    .filter(({ keys }) => !isEmpty(keys))
}

const valueOf = ({ layers }: ObjectVariant, fitting: ReadonlySet<string>, expander: Expander): Conjunction =>
  expander.conjunction(
    layers.flatMap(({ patterns, additional }): SchemaNode[] => {
      const nodes = patterns.filter(({ source }) => fitting.has(source)).map(({ value }) => value)
      return nodes.length ? nodes : [additional]
    }),
  )

/** By `propertyNames`. */
const allowedNames = (
  { names }: ObjectVariant,
  expander: Expander,
): { keys: Automaton | undefined; unheld: readonly Origin[] } => {
  let keys: Automaton | undefined
  const unheld: Origin[] = []
  for (const node of names) {
    const variants = expander.expand(expander.conjunction([node])).filter((variant) => variant.type === 'string')
    const sets = variants.map(
      (variant) => stringAutomaton(variant, expander.patterns) ?? lengths(variant.minLength, variant.maxLength),
    )
    const allowed = sets.reduce(union, { states: [] })
    keys = keys ? intersection(keys, allowed) : allowed
    unheld.push(...variants.flatMap((variant) => variant.unheld))
  }
  return { keys, unheld }
}
