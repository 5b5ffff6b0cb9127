/** The entity types that policies ignore, against those that the detector may find. */

import { didYouMean } from '@sallyport/kit/text'
import type { Problem } from '@sallyport/kit/schemas'
import type { Config } from '@sallyport/core'

/**
 * What is misspelt would be found all the same.
 * @param known undefined for a detector that does not say what it may find
 */
export const unknownIgnoredTypes = ({ policies }: Config, known: readonly string[] | undefined): Problem[] => {
  if (!known) return []
  return Object.entries(policies).flatMap(([name, policy]) =>
    (['input', 'output'] as const).flatMap((stage) =>
      (policy[stage].pii?.ignore ?? []).flatMap((type, at) =>
        known.includes(type)
          ? []
          : [
              {
                path: ['policies', name, stage, 'pii', 'ignore', at],
                problem: `"${type}" is no entity type${didYouMean(type, known)}`,
              },
            ],
      ),
    ),
  )
}
