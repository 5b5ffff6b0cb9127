/**
 * Hands pieces from the scheduler to one consumer. Pieces that the consumer has not fetched yet are merged, so that a
 * slow one costs neither memory nor a message per token.
 */
export class PieceQueue<Piece> implements AsyncIterable<Piece> {
  private readonly pieces: Piece[] = []
  private ended = false
  private error: Error | undefined
  private wake: (() => void) | undefined

  /**
   * @param merge one piece for two neighbours, or undefined where they must stay apart
   * @param onReturn the consumer has gone before the end
   */
  constructor(
    private readonly merge: (earlier: Piece, later: Piece) => Piece | undefined,
    private readonly onReturn: () => void,
  ) {}

  push(piece: Piece): void {
    const last = this.pieces.at(-1)
    const merged = last === undefined ? undefined : this.merge(last, piece)
    if (merged === undefined) this.pieces.push(piece)
    else this.pieces[this.pieces.length - 1] = merged
    this.wake?.()
  }

  end(): void {
    this.ended = true
    this.wake?.()
  }

  /** What was pushed before is still delivered. */
  fail(error: unknown): void {
    this.error ??= error instanceof Error ? error : new Error('the stream failed', { cause: error })
    this.end()
  }

  /** The consumer wants no more: nothing else is delivered. */
  abort(reason: unknown): void {
    this.pieces.length = 0
    this.fail(reason)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Piece> {
    try {
      for (;;) {
        const piece = this.pieces.shift()
        if (piece !== undefined) yield piece
        else if (this.ended) break
        else await this.more()
      }
    } finally {
      this.onReturn()
    }
    if (this.error) throw this.error
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = undefined
        resolve()
      }
    })
  }
}
