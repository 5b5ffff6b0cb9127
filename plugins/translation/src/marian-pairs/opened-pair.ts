import { failure } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import type { Slots } from '@sallyport/kit/async'

/** The models of a pair, from the moment at which it is first asked for until they are stopped. */
export class OpenedPair {
  /** Rejects where they cannot be had, and where they are closed before their turn has come. */
  readonly kernel: Promise<Kernel>
  users = 0
  usedAt = performance.now()
  private readonly closing = new AbortController()
  private readonly ended: Promise<void>

  /**
   * @param slots of pairs that are in memory at the same time: this one is until it is closed
   * @param tenant whoever asks for it first
   * @param start fetches and loads the models
   */
  constructor(slots: Slots, tenant: string, start: () => Promise<Kernel>) {
    const { signal } = this.closing
    const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    let ended: Promise<void> = closed
    this.kernel = new Promise((resolve, reject) => {
      const inMemory = async () => {
        const opening = start()
        opening.then(resolve, reject)
        await closed
        await (await opening.catch(() => undefined))?.stop()
      }
      ended = slots.run({ signal, tenant }, inMemory).catch(reject)
    })
    // Whoever waits hears of it.
    this.kernel.catch(() => undefined)
    this.ended = ended
  }

  /** Resolves when nothing of it is in memory. */
  async close(): Promise<void> {
    this.closing.abort(failure('not_ready', { state: 'draining' }))
    await this.ended
  }
}
