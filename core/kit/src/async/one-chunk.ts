/** A value as a stream of one piece. */
export async function* oneChunk<Piece>(piece: Piece | Promise<Piece>): AsyncGenerator<Awaited<Piece>> {
  yield await piece
}

/** And back. @throws TypeError for a stream of none or of several */
export const onlyChunk = async (pieces: AsyncIterable<unknown>): Promise<unknown> => {
  const all: unknown[] = []
  for await (const piece of pieces) {
    all.push(piece)
    if (all.length > 1) break
  }
  if (all.length !== 1) throw new TypeError(`a stream of one piece has ${all.length ? 'several' : 'none'}`)
  return all[0]
}
