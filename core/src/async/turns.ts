import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from '../capabilities/call.js'

/** Milliseconds of work between two looks at what else there is to do. */
const share = 8

/** Lets other work run when this one has had its share. */
export class Turns {
  private begin = performance.now()

  constructor(private readonly call: Pick<Call, 'signal'>) {}

  /** @throws the signal's reason when aborted */
  async pause(): Promise<void> {
    if (performance.now() - this.begin < share) return
    await nextTurn()
    this.call.signal.throwIfAborted()
    this.begin = performance.now()
  }
}
