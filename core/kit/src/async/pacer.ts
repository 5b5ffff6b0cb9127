import { FairQueue } from './fair-queue.js'
import type { Requester } from './slots.js'

/** Milliseconds of work in one turn of the event loop. */
const turnMilliseconds = 8

/** Shares out the turns of the event loop: work that waits goes on in a turn of its own, and tenants alternate. */
class EventLoop {
  private readonly waiting = new FairQueue<() => void>()
  /** When the first work of this turn began; undefined between turns. */
  private turnStart: number | undefined
  private turnEnd: NodeJS.Immediate | undefined

  get hasTime(): boolean {
    if (this.turnStart === undefined) this.begin()
    return performance.now() - (this.turnStart ?? 0) < turnMilliseconds
  }

  turn(tenant: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.length === 0) setImmediate(this.next)
      this.waiting.push(tenant, resolve)
    })
  }

  private begin(): void {
    clearImmediate(this.turnEnd)
    this.turnStart = performance.now()
    this.turnEnd = setImmediate(() => (this.turnStart = undefined))
  }

  private readonly next = () => {
    this.begin()
    this.waiting.take()?.()
    if (this.waiting.length) setImmediate(this.next)
  }
}

const eventLoop = new EventLoop()

/**
 * Long work pauses here again and again: once all paced work has had {@link turnMilliseconds}, other work runs first.
 */
export class Pacer {
  constructor(readonly call: Requester) {}

  /** Whether a pause would wait, or throw. */
  get isDue(): boolean {
    return this.call.signal.aborted || !eventLoop.hasTime
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
const itemsBetweenPauses = 256

/**
 * Maps thousands of items that take little time each; others get turns in between.
 * @throws the signal's reason when aborted
 */
export const mapInTurns = async <Item, Result>(
  items: readonly Item[],
  pacer: Pacer,
  map: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) {
    results.push(map(item))
    if (results.length % itemsBetweenPauses === 0) await pacer.pause()
  }
  return results
}

/** Work in steps of some milliseconds: it yields between two of them. */
export type Steps<Result> = Generator<undefined, Result>

/** Does all steps, and leaves turns of the event loop to others between them. @throws what the pacer throws */
export const runPaced = async <Result>(steps: Steps<Result>, pacer: Pick<Pacer, 'pause'>): Promise<Result> => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pacer.pause()
  }
}

/** Does all steps without a pause. */
export const runSteps = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
