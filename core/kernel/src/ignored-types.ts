/** The types of findings that policies ignore, against those that detectors may find. */

import { didYouMean } from '@sallyport/kit/text'
import type { Problem } from '@sallyport/kit/schemas'
import type { CheckPolicy, Config } from '@sallyport/core'
import { writtenChecks } from './policies.js'

/** What each detector of a check of a policy may find; undefined for one that does not say. */
export type TypesOf = (policy: CheckPolicy) => readonly (readonly string[] | undefined)[]

/** What is misspelt would be found all the same. A type may be any that one of the detectors has. */
export const unknownIgnoredTypes = (config: Config, typesOf: TypesOf): Problem[] =>
  writtenChecks(config).flatMap(({ path, policy }) => {
    const types = typesOf(policy)
    if (types.includes(undefined)) return []
    const known = types.flatMap((each) => each ?? [])
    return (policy.ignore ?? []).flatMap((type, at) =>
      known.includes(type)
        ? []
        : [{ path: [...path, 'ignore', at], problem: `"${type}" is no entity type${didYouMean(type, known)}` }],
    )
  })
