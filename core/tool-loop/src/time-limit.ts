import { abortWith } from '@sallyport/kit/async'

/** A signal that is aborted with the caller's, and when the time is over. */
export class TimeLimit {
  private readonly controller = new AbortController()
  private readonly timer: NodeJS.Timeout | undefined
  private readonly unlink: () => void
  private over = false

  /** @param milliseconds from now on; none where only the caller gives up */
  constructor(
    milliseconds: number | undefined,
    private readonly callers: AbortSignal = new AbortController().signal,
  ) {
    if (milliseconds !== undefined) this.timer = setTimeout(() => this.expire(), milliseconds)
    this.unlink = abortWith(callers, this.controller)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Whether it is the time that is over: a caller who gives up is no limit. */
  get isOver(): boolean {
    return this.over && !this.callers.aborted
  }

  /** Nothing runs under it any longer. */
  end(): void {
    clearTimeout(this.timer)
    this.unlink()
    this.controller.abort(new Error('the tool loop has ended'))
  }

  private expire(): void {
    this.over = true
    this.controller.abort(new Error('the time of the tool loop is over'))
  }
}
