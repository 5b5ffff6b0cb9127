import { Slots } from '../async/slots.js'
import type { Call } from '../capabilities/call.js'

/** Jobs of one tenant that may wait. */
const mostWaiting = 256

/** One piece of work at a time. Of each tenant one waits for its turn, so that they alternate. */
export class Turns {
  private readonly all = new Slots(1, Infinity)
  private readonly lines = new Map<string, Slots>()

  /** @throws overloaded, not_ready once closed, the signal's reason, what the work throws */
  async run<Value>({ tenant, signal }: Pick<Call, 'tenant' | 'signal'>, work: () => Promise<Value>): Promise<Value> {
    const line = this.lines.get(tenant) ?? new Slots(1, mostWaiting)
    this.lines.set(tenant, line)
    try {
      return await line.run(signal, () => this.all.run(signal, work))
    } finally {
      if (line.load.running === 0) this.lines.delete(tenant)
    }
  }

  close(): void {
    this.all.close()
  }
}
