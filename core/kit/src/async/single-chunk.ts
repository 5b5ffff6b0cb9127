/** A value as a stream of one chunk. */
export async function* oneChunk<Chunk>(chunk: Chunk | Promise<Chunk>): AsyncGenerator<Awaited<Chunk>> {
  yield await chunk
}

/** The chunk of a stream of one chunk. @throws TypeError for a stream of none or of several */
export const singleChunk = async (chunks: AsyncIterable<unknown>): Promise<unknown> => {
  const all: unknown[] = []
  for await (const chunk of chunks) {
    all.push(chunk)
    if (all.length > 1) break
  }
  if (all.length !== 1) throw new TypeError(`a stream of one chunk has ${all.length ? 'several' : 'none'}`)
  return all[0]
}
