import { setMaxListeners } from 'node:events'
import { onAbort } from './on-abort.js'
import { untilAborted } from './until-aborted.js'

interface TimeLimitOptions {
  /** Milliseconds from now on; undefined for no limit. */
  readonly total: number | undefined
  /** Milliseconds between two calls of `extend`. */
  readonly silence?: number
  /** What the signal is aborted with when the time is over. */
  readonly reason: () => Error
  /** What the signal is aborted with when the caller's is; the caller's own reason where absent. */
  readonly callerReason?: Error
}

/** The most milliseconds that a timer takes, about 25 days: it would end at once after more. */
export const maxTimer = 2 ** 31 - 1

/** A signal that is aborted when the caller's is, or when the time is over. */
export class TimeLimit {
  private readonly controller = new AbortController()
  private readonly total: NodeJS.Timeout | undefined
  private silence: NodeJS.Timeout | undefined
  private readonly unlink: () => void
  private expired: number | undefined

  constructor(
    private readonly caller: AbortSignal = new AbortController().signal,
    private readonly options: TimeLimitOptions,
  ) {
    // Each page of a list and each check of a request listens while it runs.
    setMaxListeners(0, this.signal)
    const giveUp = () => this.controller.abort(options.callerReason ?? caller.reason)
    if (caller.aborted) giveUp()
    this.unlink = onAbort(caller, giveUp)
    this.total = this.after(options.total)
    this.silence = this.after(options.silence)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** The milliseconds that were exceeded; undefined where none were, or where the caller has aborted. */
  get exceeded(): number | undefined {
    return this.caller.aborted ? undefined : this.expired
  }

  /** Begins the time of silence anew. */
  extend(): void {
    if (this.signal.aborted) return
    clearTimeout(this.silence)
    this.silence = this.after(this.options.silence)
  }

  /** The promise's result, unless the signal is aborted first, which it is after some milliseconds. */
  async within<Value>(promise: Promise<Value>, milliseconds: number, reason: () => Error): Promise<Value> {
    const timer = this.after(milliseconds, reason)
    try {
      return await untilAborted(promise, this.signal)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Stops the clock. With a reason, it aborts what still runs under the signal. */
  end(reason?: Error): void {
    clearTimeout(this.total)
    clearTimeout(this.silence)
    this.unlink()
    if (reason) this.controller.abort(reason)
  }

  private after(milliseconds: number | undefined, reason = this.options.reason): NodeJS.Timeout | undefined {
    if (milliseconds === undefined) return undefined
    return setTimeout(
      () => {
        this.expired ??= milliseconds
        this.controller.abort(reason())
      },
      Math.min(milliseconds, maxTimer),
    )
  }
}
