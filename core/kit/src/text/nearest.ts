import { distance } from 'fastest-levenshtein'

/**
 * Longer names are not compared: nobody mistypes them, and the time to compare them grows with the square of the
 * length.
 */
const maxNameLength = 100

/** The name without case and separators: `context_length` and `ContextLength` are then equal to `contextLength`. */
const fold = (name: string) => name.toLowerCase().replace(/[-_\s]/g, '')

/** How many typing errors a name of this length may have and still be recognised. */
const maxTypos = (length: number) => (length <= 3 ? 1 : Math.max(2, Math.floor(length / 3)))

/** Whether a name is the first words or the last ones of another: `EMAIL` of `EMAIL_ADDRESS`. */
const isPartOf = (name: string, whole: string): boolean => {
  const [part, all] = [name.toLowerCase(), whole.toLowerCase()]
  return part !== '' && (all.startsWith(`${part}_`) || all.endsWith(`_${part}`))
}

/**
 * The known name that was probably meant: one with almost the same spelling, or the only one that has the name as a
 * part.
 */
export const nearest = (name: string, known: Iterable<string>): string | undefined => {
  if (name.length > maxNameLength) return undefined
  const names = [...known]
  const folded = fold(name)
  let best: string | undefined
  let bestDistance = maxTypos(folded.length) + 1
  for (const candidate of names) {
    const away = distance(folded, fold(candidate))
    if (away < bestDistance) [best, bestDistance] = [candidate, away]
  }
  if (best !== undefined) return best
  const [whole, ...others] = names.filter((candidate) => isPartOf(name, candidate))
  return others.length ? undefined : whole
}

/** The end of a message about an unknown name: the one that was probably meant, or all there are. */
export const didYouMean = (name: string, known: readonly string[]): string => {
  const guess = nearest(name, known)
  if (guess !== undefined) return `: did you mean "${guess}"?`
  return known.length ? `: there are ${known.map((each) => `"${each}"`).join(', ')}` : ''
}
