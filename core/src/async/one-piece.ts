/** A value as a stream of one piece. */
export async function* onePiece<Piece>(piece: Piece | Promise<Piece>): AsyncGenerator<Awaited<Piece>> {
  yield await piece
}

/** And back. */
export const onlyPiece = async (pieces: AsyncIterable<unknown>): Promise<unknown> => {
  let only: unknown
  for await (const piece of pieces) only = piece
  return only
}
