import type { ChatChunk } from '@sallyport/core'

/** Chat content has no leading white space: takes it off each choice of a stream, and empty pieces with it. */
export async function* withoutLeadingSpace(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  const begun = new Set<number>()
  for await (const chunk of chunks) {
    if (!('delta' in chunk)) {
      yield chunk
      continue
    }
    const choice = chunk.choice ?? 0
    const delta = begun.has(choice) ? chunk.delta : chunk.delta.trimStart()
    if (!delta) continue
    begun.add(choice)
    yield delta === chunk.delta ? chunk : { ...chunk, delta }
  }
}
