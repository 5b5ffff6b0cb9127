import { Queue } from './queue.js'

/** Hands values from one writer to one reader. What is written before an end or a failure is still read. */
export class Channel<Value> {
  private readonly values = new Queue<Value>()
  private ending: { readonly error?: unknown } | undefined
  private wakeReader: () => void = () => undefined
  private wakeWriter: () => void = () => undefined

  /** @param capacity values that may wait before {@link room} does */
  constructor(private readonly capacity: number) {}

  /** Whether it has ended, has failed or is no longer read. */
  get closed(): boolean {
    return this.ending !== undefined
  }

  push(value: Value): void {
    if (this.closed) return
    this.values.push(value)
    this.wakeReader()
  }

  end(): void {
    this.close({})
  }

  /** The reader gets the error once it has read what was written before. */
  fail(error: unknown): void {
    this.close({ error })
  }

  /** Resolves when fewer values wait than may, and when it is closed. */
  async room(): Promise<void> {
    while (!this.closed && this.values.length >= this.capacity)
      await new Promise<void>((resolve) => (this.wakeWriter = resolve))
  }

  async *read(): AsyncGenerator<Value> {
    try {
      for (;;) {
        while (this.values.length > 0) {
          const value = this.values.take() as Value
          this.wakeWriter()
          yield value
        }
        if (this.ending) {
          if ('error' in this.ending) throw this.ending.error
          return
        }
        await new Promise<void>((resolve) => (this.wakeReader = resolve))
      }
    } finally {
      this.end()
    }
  }

  private close(ending: { readonly error?: unknown }): void {
    this.ending ??= ending
    this.wakeReader()
    this.wakeWriter()
  }
}
