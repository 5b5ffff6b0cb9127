import type { Call } from '@sallyport/core'
import { FairQueue } from './fair-queue.js'

/** Milliseconds of work in one turn of the event loop. */
const turnLength = 8

/** Shares out the turns of the event loop: who waits goes on in a turn of its own, and tenants alternate. */
class EventLoop {
  private readonly waiting = new FairQueue<() => void>()
  /** When work in this turn was first asked for. */
  private began: number | undefined
  private ending: NodeJS.Immediate | undefined

  get hasTime(): boolean {
    if (this.began === undefined) this.begin()
    return performance.now() - (this.began ?? 0) < turnLength
  }

  turn(tenant: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.length === 0) setImmediate(this.next)
      this.waiting.push(tenant, resolve)
    })
  }

  private begin(): void {
    clearImmediate(this.ending)
    this.began = performance.now()
    this.ending = setImmediate(() => (this.began = undefined))
  }

  private readonly next = () => {
    this.begin()
    this.waiting.take()?.()
    if (this.waiting.length) setImmediate(this.next)
  }
}

const eventLoop = new EventLoop()

/** Long work pauses at it again and again: once all paced work has had {@link turnLength}, others run first. */
export class Pacer {
  constructor(readonly call: Pick<Call, 'signal' | 'tenant'>) {}

  /** Whether a pause would wait. */
  get isDue(): boolean {
    return !eventLoop.hasTime
  }

  /** @throws the signal's reason when aborted */
  async pause(): Promise<void> {
    this.call.signal.throwIfAborted()
    if (eventLoop.hasTime) return
    await eventLoop.turn(this.call.tenant)
    this.call.signal.throwIfAborted()
  }
}

/** Items between two pauses. */
const itemsAtOnce = 256

/** Maps what takes little each: of thousands of them, others get turns in between. @throws the signal's reason when aborted */
export const mapInTurns = async <Item, Result>(
  items: readonly Item[],
  pacer: Pacer,
  map: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) {
    results.push(map(item))
    if (results.length % itemsAtOnce === 0) await pacer.pause()
  }
  return results
}
