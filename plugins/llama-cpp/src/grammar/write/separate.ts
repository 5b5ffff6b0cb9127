import { maxOf } from '@sallyport/kit/lists'
import { keyOf } from '../schema/variant.js'
import type { Variant } from '../schema/variant.js'

/** Values, and what may follow them. */
export interface Candidate<Target> {
  readonly variants: readonly Variant[]
  readonly targets: readonly Target[]
}

/**
 * Rearranges values with what follows them, so that as few as possible begin alike: equal values go together, others
 * part by their types and constants. `overlap` is how many of one type remain that may begin alike.
 */
export const separate = <Target>(
  candidates: readonly Candidate<Target>[],
  keyOfTargets: (targets: readonly Target[]) => string,
): { groups: readonly Candidate<Target>[]; overlap: number } => {
  const whole = candidates.length < 2 ? candidates : joinEqual(candidates)
  if (whole.length < 2) return { groups: whole, overlap: 1 }
  const byType = new Map<string, Candidate<Target>[]>()
  for (const { variants, targets } of whole)
    for (const type of new Set(variants.map(typeOf))) {
      const ofType = variants.filter((variant) => typeOf(variant) === type)
      byType.set(type, [...(byType.get(type) ?? []), { variants: ofType, targets }])
    }
  const groups = [...byType.values()].map((ofType) => joinEqual(joinEqual(ofType).flatMap(separateConstants)))
  const overlap = maxOf(groups.map(overlapOf), 1)
  return { groups: joinTargets(groups.flat(), keyOfTargets), overlap }
}

const typeOf = (variant: Variant): string => (variant.type === 'boolean' ? `boolean ${variant.value}` : variant.type)

/** A list of constants becomes one candidate for each. */
const separateConstants = <Target>({ variants, targets }: Candidate<Target>): Candidate<Target>[] =>
  variants.flatMap((variant): Candidate<Target>[] => {
    if (variant.type === 'string' && variant.values)
      return variant.values.map((value) => ({ variants: [{ ...variant, values: [value] }], targets }))
    if (variant.type === 'number' && variant.values)
      return variant.values.map((value) => ({ variants: [{ ...variant, values: [value] }], targets }))
    return [{ variants: [variant], targets }]
  })

const overlapOf = (candidates: readonly Candidate<unknown>[]): number => {
  const open = candidates.filter(({ variants }) => !variants.every(isConstant)).length
  return open + (open < candidates.length ? 1 : 0)
}

const isConstant = (variant: Variant): boolean =>
  (variant.type === 'string' || variant.type === 'number') && variant.values !== undefined

const joinEqual = <Target>(candidates: readonly Candidate<Target>[]): Candidate<Target>[] => {
  const joined = new Map<string, Candidate<Target>>()
  for (const { variants, targets } of candidates) {
    const key = variants.map(keyOf).sort().join(';')
    joined.set(key, { variants, targets: [...(joined.get(key)?.targets ?? []), ...targets] })
  }
  return [...joined.values()]
}

/** What leads on in the same way is one value again. */
const joinTargets = <Target>(
  candidates: readonly Candidate<Target>[],
  keyOfTargets: (targets: readonly Target[]) => string,
): Candidate<Target>[] => {
  const joined = new Map<string, Candidate<Target>>()
  for (const { variants, targets } of candidates) {
    const key = keyOfTargets(targets)
    joined.set(key, { targets, variants: [...(joined.get(key)?.variants ?? []), ...variants] })
  }
  return [...joined.values()]
}
