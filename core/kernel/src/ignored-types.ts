/** The types of findings that policies ignore, against those that detectors may find. */

import { didYouMean } from '@sallyport/kit/text'
import type { Problem } from '@sallyport/kit/schemas'
import type { Config } from '@sallyport/core'
import { writtenChecks } from './policies.js'

/**
 * What is misspelt would be found all the same.
 * @param knownTypes of the detector of a check; undefined for one that does not say what it may find
 */
export const unknownIgnoredTypes = (
  config: Config,
  knownTypes: (check: string) => readonly string[] | undefined,
): Problem[] =>
  writtenChecks(config).flatMap(({ path, policy }) => {
    const known = knownTypes(policy.check)
    return (policy.ignore ?? []).flatMap((type, at) =>
      !known || known.includes(type)
        ? []
        : [{ path: [...path, 'ignore', at], problem: `"${type}" is no entity type${didYouMean(type, known)}` }],
    )
  })
