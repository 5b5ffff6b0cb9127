import type { ChatChunk } from '@sallyport/core'

/** Chat content has no leading white space: takes it off each choice of a stream, and pieces that nothing is left of. */
export async function* withoutLeadingSpace(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  const begun = new Set<number>()
  for await (const chunk of chunks) {
    if (!('delta' in chunk)) {
      yield chunk
      continue
    }
    const choice = chunk.choice ?? 0
    const delta = begun.has(choice) ? chunk.delta : chunk.delta.trimStart()
    if (delta) begun.add(choice)
    else if (chunk.delta) continue
    yield delta === chunk.delta ? chunk : { ...chunk, delta }
  }
}
