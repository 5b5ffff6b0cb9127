/** Credentials whose parts stand in several values beside each other, and that none of them holds. */

import type { Pacer } from '@sallyport/kit/async'
import { countUpTo } from '@sallyport/kit/lists'
import type { Candidate } from './candidate.js'
import { maxStart, tokensIn } from './token-search.js'

/** Values that one credential may be split over, and UTF-16 units of it. */
const [maxValues, longest] = [4, 512]
/** Characters of a beginning that stand together by chance no more. */
const minStart = 4

/** @param values as patterns read them */
export const tokensAcross = async (values: readonly string[], pacer: Pacer): Promise<Candidate[]> => {
  const joined = values.join('')
  let end = 0
  const ends = values.map(({ length }) => (end += length))
  const found: Candidate[] = []
  for (const candidate of tokensIn(joined, minStart)) {
    if (candidate && isSplit(candidate, values, ends)) found.push(candidate)
    else if (!candidate) await pacer.pause()
  }
  return found
}

const isSplit = ({ start, end, score }: Candidate, values: readonly string[], ends: readonly number[]): boolean => {
  const [first, last] = [countUpTo(ends, start), countUpTo(ends, end - 1)]
  if (score === undefined || first === last || last - first >= maxValues || end - start > longest) return false
  return !values.slice(first, last + 1).some(isOne)
}

/** Whether a value is a credential by itself, which what stands beside it only makes longer. */
const isOne = (value: string): boolean =>
  [...tokensIn(value.slice(0, longest + maxStart))].some((candidate) => candidate?.score !== undefined)
