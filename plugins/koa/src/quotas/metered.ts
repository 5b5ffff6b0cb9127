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
  const stream: Stream = (request, call) => ({
    [Symbol.asyncIterator]: () => tapped(original(request, call)[Symbol.asyncIterator](), written),
  })
  const generate = (request: never, call?: CallOptions) => collect(stream(request, call))
  return { ...service, stream, generate }
}

/** Passes the source's own promises on, which costs less than a generator for each chunk. */
const tapped = (source: AsyncIterator<Chunk>, written: (characters: number) => void): AsyncIterator<Chunk> => {
  const count = ({ done, value }: IteratorResult<Chunk>) => {
    if (!done) written(charactersOf(value))
  }
  const ignore = () => undefined
  return {
    next: () => {
      const step = source.next()
      step.then(count, ignore)
      return step
    },
    return: (value: unknown) => source.return?.(value) ?? Promise.resolve({ done: true, value }),
  }
}

const charactersOf = (chunk: Chunk): number => {
  if ('delta' in chunk) return chunk.delta.length
  if ('reasoning' in chunk) return chunk.reasoning.length
  return 'toolCall' in chunk ? chunk.toolCall.arguments.length + (chunk.toolCall.name?.length ?? 0) : 0
}
