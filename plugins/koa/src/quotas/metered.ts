import type { CallOptions, ChatChunk, CompletionChunk, Served } from '@sallyport/core'
import { collect } from '@sallyport/kit/generation'

type Chunk = ChatChunk | CompletionChunk
type Stream = (request: never, call?: CallOptions) => AsyncIterable<Chunk>

/**
 * A service of generation that tells how much has been written while it writes: calls that are cut are never counted by
 * their model.
 * @param written called with the characters of each piece
 */
export const metered = <Service extends object>(
  service: Served<Service>,
  written: (characters: number) => void,
): Served<Service> => {
  const { stream: original } = service as unknown as { readonly stream: Stream }
  const stream: Stream = async function* (request, call) {
    for await (const chunk of original(request, call)) {
      written(charactersOf(chunk))
      yield chunk
    }
  }
  const generate = (request: never, call?: CallOptions) => collect(stream(request, call))
  return { ...service, stream, generate }
}

const charactersOf = (chunk: Chunk): number => {
  if ('delta' in chunk) return chunk.delta.length
  if ('reasoning' in chunk) return chunk.reasoning.length
  return 'toolCall' in chunk ? chunk.toolCall.arguments.length + (chunk.toolCall.name?.length ?? 0) : 0
}
