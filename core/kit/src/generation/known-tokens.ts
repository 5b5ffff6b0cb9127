import { failure } from '@sallyport/core/errors'

interface Vocabulary {
  has(id: number): boolean
  /**
   * Ids that replace one that the vocabulary lacks: the unknown token or, where there is none, the tokens of U+FFFD.
   */
  readonly unknown: readonly number[]
}

/**
 * The ids with unknown ones replaced: clients send ids of other vocabularies, too.
 * @param field the field of the request that holds the ids (`inputs[3].tokens`)
 * @throws invalid_request, naming the first that is not an id
 */
export const knownTokens = (ids: readonly number[], vocabulary: Vocabulary, field: string): number[] => {
  const place = ids.findIndex((id) => !Number.isInteger(id) || id < 0)
  if (place >= 0)
    throw failure('invalid_request', {
      field: `${field}[${place}]`,
      problem: 'must be a token id: an integer from 0 upwards',
    })
  return ids.flatMap((id) => (vocabulary.has(id) ? id : vocabulary.unknown))
}
