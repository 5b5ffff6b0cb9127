import { abortWith } from '@sallyport/kit/async'

/** A signal that is aborted when the caller's is, or when the time is over. */
export class TimeLimit {
  private readonly controller = new AbortController()
  private readonly timer: NodeJS.Timeout | undefined
  private readonly unlink: () => void
  private hasExpired = false

  /** @param milliseconds the time from now on; undefined for no limit */
  constructor(
    milliseconds: number | undefined,
    private readonly callerSignal: AbortSignal = new AbortController().signal,
  ) {
    if (milliseconds !== undefined) this.timer = setTimeout(() => this.expire(), milliseconds)
    this.unlink = abortWith(callerSignal, this.controller)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Whether the time is over; false when the caller has aborted first. */
  get isOver(): boolean {
    return this.hasExpired && !this.callerSignal.aborted
  }

  /** Aborts what still runs under the signal. */
  end(): void {
    clearTimeout(this.timer)
    this.unlink()
    this.controller.abort(new Error('the tool loop has ended'))
  }

  private expire(): void {
    this.hasExpired = true
    this.controller.abort(new Error('the time of the tool loop is over'))
  }
}
