import type { Readable } from 'node:stream'

/** Bytes that wait before the source is asked to pause. */
const enough = 256 * 1024

/**
 * Bytes of a body as they come. Unlike a `Readable`'s own iterator it gives out what had come before an error, and
 * only then the error.
 */
export class ByteQueue {
  #pieces: Uint8Array[] = []
  #size = 0
  #end: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined

  constructor(private readonly source: Readable) {
    source
      .on('data', (piece: Uint8Array) => this.#add(piece))
      .on('end', () => this.#finish({}))
      .on('error', (error) => this.#finish({ error }))
  }

  /** All that has come, or will come next; undefined at the end. For one reader at a time. */
  async next(): Promise<Uint8Array | undefined> {
    while (!this.#size && !this.#end) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#size) return this.#take()
    if (this.#end && 'error' in this.#end) throw this.#end.error
    return undefined
  }

  #add(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size > enough) this.source.pause()
    this.#wake()
  }

  #take(): Uint8Array {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : undefined
    const all = bytes ?? Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    this.source.resume()
    return all
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end
    this.#wake()
  }
}
