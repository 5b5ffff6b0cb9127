/** What all layers of an array or an object say together. */

import type { SchemaNode } from './node.js'
import type { Conjunction, NormalForms } from './normal-forms.js'
import { fitsString } from './intersect.js'
import type { ArrayVariant, ObjectLayer, ObjectVariant } from './variant.js'

export const itemAt = ({ layers }: ArrayVariant, index: number, expander: NormalForms): Conjunction =>
  expander.conjunction(layers.map(({ prefix, rest }) => prefix[index] ?? rest))

/** What {@link NormalForms.property} finds. */
export const propertyOf = (variant: ObjectVariant, key: string, expander: NormalForms): Conjunction =>
  isAllowed(variant, key, expander)
    ? expander.conjunction(variant.layers.flatMap((layer) => nodesFor(layer, key, expander)))
    : expander.conjunction([expander.document.nothing])

/** Keys that no schema names are allowed, but not meant, where properties are declared and nothing is said of others. */
export const meansOnlyDeclared = ({ layers, names }: ObjectVariant): boolean =>
  names.length === 0 && layers.some(({ declares }) => declares) && !layers.some(({ opens }) => opens)

const nodesFor = (
  { properties, patterns, additional }: ObjectLayer,
  key: string,
  expander: NormalForms,
): SchemaNode[] => {
  const declared = properties.get(key)
  const fitting = patterns.filter(({ source }) => expander.patterns.accepts(source, key)).map(({ value }) => value)
  const nodes = declared ? [declared, ...fitting] : fitting
  return nodes.length ? nodes : [additional]
}

const isAllowed = ({ names }: ObjectVariant, key: string, expander: NormalForms): boolean =>
  names.every((node) =>
    expander
      .expand(expander.conjunction([node]))
      .some(
        (name) =>
          name.type === 'string' &&
          (name.values ? name.values.includes(key) : fitsString(key, name, expander.patterns)),
      ),
  )
