import { FairQueue, Shares } from '@sallyport/core'
import type { Asking } from '@sallyport/core'

/**
 * Runs a step of a recording's work when its turn has come.
 * @throws the signal's reason when aborted; what the step throws
 */
export type Step = <Value>(run: () => Value | Promise<Value>) => Promise<Value>

/** What a step belongs to: writing down a window of speech, or finding where somebody speaks, and who. */
export type Work = 'window' | 'search'

/** Milliseconds that a tenant may be behind others and still catch up: others take some steps while its file is read. */
const mostSaved = 100

/**
 * Hands out the event loop, which every evaluation of a network holds, a step at a time. Steps take a few milliseconds or
 * some hundred, so time is shared and not turns: the next step is that of the work that has used the least, each tenant's
 * windows and each tenant's searches by themselves. A window that others wait for is thus not held up by many searches.
 */
export class StepGate {
  private readonly waiting = new FairQueue<() => void>()
  private readonly shares = new Shares(mostSaved)
  /** A step runs, or the next one is about to be chosen. */
  private taken = false

  of(work: Work, { signal, tenant }: Asking): Step {
    const line = `${work} ${tenant}`
    return async (run) => {
      await this.turn(line)
      const started = performance.now()
      try {
        signal.throwIfAborted()
        return await run()
      } finally {
        this.shares.add(line, performance.now() - started)
        this.taken = false
        this.schedule()
      }
    }
  }

  private turn(line: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(line, resolve)
      this.schedule()
    })
  }

  /** Whose step has just ended asks for the next one before it is chosen; otherwise lines would alternate by steps. */
  private schedule(): void {
    if (this.taken || this.waiting.length === 0) return
    this.taken = true
    setImmediate(this.next)
  }

  private readonly next = () => {
    this.shares.setWorking(new Set(this.waiting.tenants))
    this.waiting.take((line) => this.shares.usedBy(line))?.()
  }
}
