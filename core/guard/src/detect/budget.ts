/** How long a check may take. */

import { failure } from '@sallyport/core'
import type { Call } from '@sallyport/core'

/** UTF-16 code units of a text that a budget is meant for; a longer one has more in proportion. */
const budgetedLength = 1024
/** For the longest ones, which are refused rather than checked for minutes. */
const maxBudgets = 16

/** Further ones for a check that waits while its detector finishes other texts, or while the process is held up. */
const maxGrants = 7

/** Milliseconds by which a timer may be late in a process that is not held up; half a budget, if that is more. */
const lateness = 200

/** What detectors have finished: where one is busy with other texts, those that wait have not failed. */
export class Progress {
  private readonly counts = new Map<string, number>()

  finished(check: string): number {
    return this.counts.get(check) ?? 0
  }

  add(check: string): void {
    this.counts.set(check, this.finished(check) + 1)
  }
}

/** The time for one text, whatever its detector is asked about it, and however much of that at the same time. */
export class Budget {
  /** Milliseconds before anything is granted. */
  private readonly initial: number
  private ends: number
  private grants = maxGrants
  private finishedHere = 0
  private othersSeen: number

  /** @param perGrant milliseconds for a text of {@link budgetedLength}, and for each grant */
  constructor(
    private readonly perGrant: number,
    { length }: string,
    private readonly check: string,
    private readonly progress: Progress,
  ) {
    this.initial = perGrant * Math.min(maxBudgets, Math.max(1, length / budgetedLength))
    this.ends = performance.now() + this.initial
    this.othersSeen = this.finishedElsewhere()
  }

  /**
   * A detector that does not listen to its signal holds up nobody. That nobody waits any more is seen before it is asked.
   * @throws deadline_exceeded, the signal's reason
   */
  async run<Result>(call: Call, work: (call: Call) => Promise<Result>): Promise<Result> {
    call.signal.throwIfAborted()
    const limited = limitedCall(call)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const wait = () => {
        timer = setTimeout(() => (this.granted() ? wait() : reject(this.exceeded())), this.ends - performance.now())
      }
      wait()
    })
    const working = Promise.resolve().then(() => work(limited.call))
    // Nobody listens to it any more when it is late.
    working.catch(() => undefined)
    try {
      const result = await Promise.race([working, late])
      this.finishedHere += 1
      this.progress.add(this.check)
      return result
    } catch (error) {
      limited.abort(error)
      throw error
    } finally {
      clearTimeout(timer)
      limited.end()
    }
  }

  private exceeded(): Error {
    return failure('deadline_exceeded', { limit: `${Math.round(this.initial)} ms` })
  }

  /** Whether there is more time. */
  private granted(): boolean {
    const now = performance.now()
    // Another one that runs under this budget has been granted more.
    if (now < this.ends) return true
    const others = this.finishedElsewhere()
    const hasWaited = others > this.othersSeen || now - this.ends > Math.max(lateness, this.perGrant / 2)
    this.othersSeen = others
    if (!hasWaited || this.grants === 0) return false
    this.grants -= 1
    this.ends = now + this.perGrant
    return true
  }

  private finishedElsewhere(): number {
    return this.progress.finished(this.check) - this.finishedHere
  }
}

/** The call with a signal of its own, which costs more than most checks and is made when it is asked for. */
const limitedCall = (call: Call) => {
  let controller: AbortController | undefined
  let reason: unknown
  let ended = false
  const stop = () => controller?.abort(call.signal.reason)
  const limited = () => {
    controller = new AbortController()
    if (reason !== undefined) controller.abort(reason)
    else if (call.signal.aborted) stop()
    else if (!ended) call.signal.addEventListener('abort', stop, { once: true })
    return controller
  }
  return {
    call: {
      ...call,
      get signal() {
        return (controller ?? limited()).signal
      },
    },
    abort: (error: unknown) => {
      reason = error
      controller?.abort(error)
    },
    end: () => {
      ended = true
      if (controller) call.signal.removeEventListener('abort', stop)
    },
  }
}
