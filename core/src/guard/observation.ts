import { shared } from '../async/until-aborted.js'
import { Channel } from '../async/channel.js'
import type { Call } from '../capabilities/call.js'

/** The checks of one call that only report. Nothing waits for them but the end of the answer, and they end with it. */
export class Observation {
  /** What they run under. */
  readonly call: Call
  private readonly controller = new AbortController()
  private readonly checks: Promise<unknown>[] = []

  constructor(call: Call) {
    this.call = { ...call, signal: shared(AbortSignal.any([call.signal, this.controller.signal])) }
  }

  add(checks: Promise<unknown>): void {
    this.checks.push(checks.catch(() => undefined))
  }

  /**
   * The pieces, as they come.
   * @param look reads copies of them, which wait for it: as many as the answer has
   */
  async *of(pieces: AsyncIterable<unknown>, look: (copies: AsyncIterable<unknown>) => AsyncIterable<unknown>) {
    const copies = new Channel<unknown>(Infinity)
    this.add(drain(look(copies.read())))
    try {
      for await (const piece of pieces) {
        copies.push(piece)
        yield piece
      }
    } finally {
      copies.end()
    }
  }

  /** Resolves when they have reported. */
  async ended(): Promise<void> {
    await Promise.all(this.checks)
  }

  abort(): void {
    this.controller.abort()
  }
}

const drain = async (pieces: AsyncIterable<unknown>): Promise<void> => {
  const iterator = pieces[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}
