import { abortWith, Channel } from '@sallyport/kit/async'
import type { Call } from '@sallyport/core'

/** The checks of one call that only report. Nothing waits for them but the end of the answer, and they end with it. */
export class Observation {
  private readonly checks: Promise<unknown>[] = []
  /** Made with the first check: most calls have none. */
  private running: { readonly call: Call; readonly abort: () => void } | undefined

  constructor(private readonly observed: Call) {}

  /** What they run under. */
  get call(): Call {
    this.running ??= abortable(this.observed)
    return this.running.call
  }

  add(checks: Promise<unknown>): void {
    this.checks.push(checks.catch(() => undefined))
  }

  /**
   * The chunks, as they come.
   * @param look reads copies of them, which wait for it: as many as the answer has
   */
  async *of(chunks: AsyncIterable<unknown>, look: (copies: AsyncIterable<unknown>) => AsyncIterable<unknown>) {
    const copies = new Channel<unknown>(Infinity)
    this.add(drain(look(copies.read())))
    try {
      for await (const chunk of chunks) {
        copies.push(chunk)
        yield chunk
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
    this.running?.abort()
  }
}

const abortable = (call: Call) => {
  const controller = new AbortController()
  const unlink = abortWith(call.signal, controller)
  const abort = () => {
    unlink()
    controller.abort()
  }
  return { call: { ...call, signal: controller.signal }, abort }
}

const drain = async (chunks: AsyncIterable<unknown>): Promise<void> => {
  const iterator = chunks[Symbol.asyncIterator]()
  while (!(await iterator.next()).done);
}
