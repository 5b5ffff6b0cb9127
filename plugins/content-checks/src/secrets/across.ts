/** Finds credentials that are split over neighbouring values. */

import type { Pacer } from '@sallyport/kit/async'
import { countUpTo } from '@sallyport/kit/lists'
import type { Candidate } from './candidate.js'
import { maxPrefixLength, tokensIn } from './token-search.js'

/** The maximum number of values that a credential is split over, and its maximum length in UTF-16 code units. */
const [maxValues, maxLength] = [4, 512]
/** Shorter prefixes of tokens may occur by chance. */
const minPrefixLength = 4

/** @param values plain readings of the values */
export const tokensAcross = async (values: readonly string[], pacer: Pacer): Promise<Candidate[]> => {
  const joined = values.join('')
  let end = 0
  const ends = values.map(({ length }) => (end += length))
  const found: Candidate[] = []
  for (const candidate of tokensIn(joined, minPrefixLength)) {
    if (candidate && isSplit(candidate, values, ends)) found.push(candidate)
    else if (!candidate) await pacer.pause()
  }
  return found
}

const isSplit = ({ start, end, score }: Candidate, values: readonly string[], ends: readonly number[]): boolean => {
  const [first, last] = [countUpTo(ends, start), countUpTo(ends, end - 1)]
  if (score === undefined || first === last || last - first >= maxValues || end - start > maxLength) return false
  return !values.slice(first, last + 1).some(isCredential)
}

/** Whether a value is a credential by itself, which the neighbouring value would only extend. */
const isCredential = (value: string): boolean =>
  [...tokensIn(value.slice(0, maxLength + maxPrefixLength))].some((candidate) => candidate?.score !== undefined)
