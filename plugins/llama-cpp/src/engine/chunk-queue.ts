/**
 * Hands chunks from the scheduler to one consumer. Chunks that the consumer has not fetched yet are merged, so that a
 * slow one costs neither memory nor a message per token.
 */
export class ChunkQueue<Chunk> implements AsyncIterable<Chunk> {
  private readonly chunks: Chunk[] = []
  private ended = false
  private error: Error | undefined
  private wake: () => void = () => undefined

  /**
   * @param merge makes one chunk of two neighbours, or returns undefined where they must stay apart
   * @param onReturn is called when the consumer stops before the end
   */
  constructor(
    private readonly merge: (earlier: Chunk, later: Chunk) => Chunk | undefined,
    private readonly onReturn: () => void,
  ) {}

  push(chunk: Chunk): void {
    const last = this.chunks.at(-1)
    const merged = last === undefined ? undefined : this.merge(last, chunk)
    if (merged === undefined) this.chunks.push(chunk)
    else this.chunks[this.chunks.length - 1] = merged
    this.wake()
  }

  end(): void {
    this.ended = true
    this.wake()
  }

  /** Chunks that were pushed before are still delivered. */
  fail(error: unknown): void {
    this.error ??= error instanceof Error ? error : new Error('the stream failed', { cause: error })
    this.end()
  }

  /** Discards chunks that were not delivered. */
  abort(reason: unknown): void {
    this.chunks.length = 0
    this.fail(reason)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk> {
    try {
      for (;;) {
        const chunk = this.chunks.shift()
        if (chunk !== undefined) yield chunk
        else if (this.ended) break
        else await new Promise<void>((resolve) => (this.wake = resolve))
      }
    } finally {
      this.onReturn()
    }
    if (this.error) throw this.error
  }
}
