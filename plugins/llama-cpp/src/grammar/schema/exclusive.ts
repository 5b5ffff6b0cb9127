/** Exactly one of several schemas. */

import type { Disjointness } from './disjoint.js'
import type { SchemaDocument } from './document.js'
import type { ObjectLayer, ObjectVariant, Variant } from './variant.js'

/** The values of each branch that surely fit no other; undefined where they cannot be told. */
export const exclusiveVariants = (
  branches: readonly (readonly Variant[])[],
  disjointness: Disjointness,
  document: SchemaDocument,
): readonly Variant[] | undefined => {
  const written: Variant[] = []
  for (const [index, branch] of branches.entries()) {
    const others = branches.filter((_, at) => at !== index).flat()
    for (const variant of branch) {
      const like = others.filter((other) => !disjointness.ofVariants(variant, other))
      const apart = like.length ? keepApart(variant, like, disjointness, document) : variant
      if (!apart) return undefined
      written.push(apart)
    }
  }
  return written
}

/** As much of a variant as is plainly none of the others. */
const keepApart = (
  variant: Variant,
  others: readonly Variant[],
  disjointness: Disjointness,
  document: SchemaDocument,
): Variant | undefined => {
  if (variant.type === 'array' && variant.least === 0 && variant.most > 0) {
    const some = { ...variant, least: 1 }
    return disjointness.ofLists([some], others) ? some : undefined
  }
  if (variant.type !== 'object') return undefined
  const keys = others.map((other) => keyOfOther(variant, other))
  return keys.every((key) => key !== undefined) ? withoutProperties(variant, keys, document) : undefined
}

/** A property that the other one needs, and that the variant does not name. */
const keyOfOther = ({ layers, required }: ObjectVariant, other: Variant): string | undefined =>
  other.type === 'object'
    ? [...other.required].find((key) => !required.has(key) && !layers.some(({ properties }) => properties.has(key)))
    : undefined

const withoutProperties = (
  variant: ObjectVariant,
  keys: readonly string[],
  document: SchemaDocument,
): ObjectVariant => {
  const without: ObjectLayer = {
    id: `-${JSON.stringify(keys)}`,
    properties: new Map(keys.map((key) => [key, document.nothing])),
    patterns: [],
    additional: document.anything,
    declares: false,
    opens: false,
  }
  return { ...variant, layers: [...variant.layers, without] }
}
