import Queue from 'yocto-queue'

/** Hands values from one writer to one reader. What is written before an end or a failure is still read. */
export class Channel<Value> {
  private readonly values = new Queue<Value>()
  private ending: { readonly error?: unknown } | undefined
  private wakeReader: () => void = () => undefined
  private wakeWriter: () => void = () => undefined

  /** @param capacity how many values may wait; from there on {@link waitForRoom} waits */
  constructor(private readonly capacity: number) {}

  /** Whether the channel has ended, has failed or is no longer read. */
  get closed(): boolean {
    return this.ending !== undefined
  }

  push(value: Value): void {
    if (this.closed) return
    this.values.enqueue(value)
    this.wakeReader()
  }

  end(): void {
    this.close({})
  }

  /** The reader gets the error once it has read what was written before. */
  fail(error: unknown): void {
    this.close({ error })
  }

  /** Resolves when there is room for another value, or the channel is closed. */
  async waitForRoom(): Promise<void> {
    while (!this.closed && this.values.size >= this.capacity)
      await new Promise<void>((resolve) => (this.wakeWriter = resolve))
  }

  async *read(): AsyncGenerator<Value> {
    try {
      for (;;) {
        while (this.values.size > 0) {
          const value = this.values.dequeue() as Value
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
