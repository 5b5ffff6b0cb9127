/** How long a check may take. */

import { failure } from '@sallyport/core'
import type { Call } from '@sallyport/core'

/** A budget is for a text of this many UTF-16 code units; longer texts get more in proportion. */
const budgetedLength = 1024
/** Maximum factor by which a long text extends the budget, so that a check that would take minutes fails. */
const maxBudgetFactor = 16

/** Maximum number of extensions for a check that waits for other texts of its detector, or for a busy process. */
const maxExtensions = 7

/** A timer that is later than this many milliseconds and than half a budget shows that the process is busy. */
const lateness = 200

/** Counts finished inspections, which show that a detector is busy with other texts and does not hang. */
export class Progress {
  private readonly counts = new Map<string, number>()

  finished(check: string): number {
    return this.counts.get(check) ?? 0
  }

  add(check: string): void {
    this.counts.set(check, this.finished(check) + 1)
  }
}

/** The time limit for one text, shared by all calls of the detector about it. */
export class Budget {
  /** Milliseconds without extensions. */
  private readonly initial: number
  private deadline: number
  private extensionsLeft = maxExtensions
  private finishedHere = 0
  private othersSeen: number

  /** @param base milliseconds for a text of {@link budgetedLength}; each extension is as long */
  constructor(
    private readonly base: number,
    { length }: string,
    private readonly check: string,
    private readonly progress: Progress,
  ) {
    this.initial = base * Math.min(maxBudgetFactor, Math.max(1, length / budgetedLength))
    this.deadline = performance.now() + this.initial
    this.othersSeen = this.finishedElsewhere()
  }

  /**
   * Runs a call of the detector within the limit, even if the detector ignores its signal.
   * @throws deadline_exceeded, the signal's reason
   */
  async run<Result>(call: Call, work: (call: Call) => Promise<Result>): Promise<Result> {
    call.signal.throwIfAborted()
    const limited = limitedCall(call)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const wait = () => {
        timer = setTimeout(
          () => (this.extendIfDue() ? wait() : reject(this.exceeded())),
          this.deadline - performance.now(),
        )
      }
      wait()
    })
    const working = Promise.resolve().then(() => work(limited.call))
    // A late rejection has no other handler.
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

  /** Grants an extension if one is due. @returns whether time is left */
  private extendIfDue(): boolean {
    const now = performance.now()
    // Another call under this budget has extended it.
    if (now < this.deadline) return true
    const others = this.finishedElsewhere()
    const hasWaited = others > this.othersSeen || now - this.deadline > Math.max(lateness, this.base / 2)
    this.othersSeen = others
    if (!hasWaited || this.extensionsLeft === 0) return false
    this.extensionsLeft -= 1
    this.deadline = now + this.base
    return true
  }

  private finishedElsewhere(): number {
    return this.progress.finished(this.check) - this.finishedHere
  }
}

/** The call with its own signal, created on first use because it costs more than most checks. */
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
