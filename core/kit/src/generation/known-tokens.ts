import { failure } from '@sallyport/core/errors'

/** What is known of the ids of a vocabulary. */
interface KnownIds {
  has(id: number): boolean
  /** Stand for an id that is not in it: the unknown token, or the tokens of U+FFFD where there is none. */
  readonly unknown: readonly number[]
}

/**
 * The ids as a model reads them: clients send those of other vocabularies, too.
 * @param field of the request that holds the ids (`inputs[3].tokens`)
 * @throws invalid_request, naming the first that is no id at all
 */
export const knownTokens = (ids: readonly number[], vocabulary: KnownIds, field: string): number[] => {
  const place = ids.findIndex((id) => !Number.isInteger(id) || id < 0)
  if (place >= 0)
    throw failure('invalid_request', {
      field: `${field}[${place}]`,
      problem: 'must be a token id: an integer from 0 upwards',
    })
  return ids.flatMap((id) => (vocabulary.has(id) ? id : vocabulary.unknown))
}
