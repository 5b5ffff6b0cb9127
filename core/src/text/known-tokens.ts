import { failure } from '../errors/index.js'

/**
 * Refuses ids of another vocabulary: as unknown tokens, they would quietly give a text without meaning.
 * @param isKnown whether an id is in the model's vocabulary
 * @param field of the request that holds the ids (`inputs[3].tokens`)
 * @throws invalid_request, naming the first id that is not
 */
export const requireKnownTokens = (ids: readonly number[], isKnown: (id: number) => boolean, field: string): void => {
  const place = ids.findIndex((id) => !isKnown(id))
  if (place >= 0)
    throw failure('invalid_request', { field: `${field}[${place}]`, problem: "is no token of the model's vocabulary" })
}
