import { failure } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { whenAborted } from '@sallyport/kit/async'
import type { Slots } from '@sallyport/kit/async'

/** The models of a pair, from the first request for it until they are stopped. */
export class OpenPair {
  /** Rejects where the models cannot be loaded, and where the pair is closed before its turn. */
  readonly kernel: Promise<Kernel>
  users = 0
  usedAt = performance.now()
  private readonly closing = new AbortController()
  private readonly ended: Promise<void>

  /**
   * @param slots one for each pair that may be in memory; this pair has one until it is closed
   * @param tenant the tenant of the first request
   * @param start fetches and loads the models
   */
  constructor(slots: Slots, tenant: string, start: () => Promise<Kernel>) {
    const { signal } = this.closing
    const closed = whenAborted(signal)
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
    // Requests that wait get the error; without any it must not be an unhandled rejection.
    this.kernel.catch(() => undefined)
    this.ended = ended
  }

  /** Stops the models. Resolves when they are out of memory. */
  async close(): Promise<void> {
    this.closing.abort(failure('not_ready', { state: 'draining' }))
    await this.ended
  }
}
