import { setMaxListeners } from 'node:events'

/** How long a call is waited for: so long without a sign of life, and so long in all. */
export class TimeLimit {
  private readonly over = new AbortController()
  private readonly total: NodeJS.Timeout
  private silence: NodeJS.Timeout
  /** Seconds that were too few; undefined while it lasts, or where the caller has gone. */
  exceeded: number | undefined

  /**
   * @param timeout seconds between two signs of life
   * @param max seconds in all
   */
  constructor(
    private readonly caller: AbortSignal,
    private readonly timeout: number,
    max: number,
  ) {
    // each page of a list leaves one there
    setMaxListeners(0, this.over.signal)
    caller.addEventListener('abort', this.giveUp, { once: true })
    this.total = setTimeout(() => this.exceed(max), max * 1000)
    this.silence = this.wait()
  }

  get signal(): AbortSignal {
    return this.over.signal
  }

  extend(): void {
    if (this.signal.aborted) return
    clearTimeout(this.silence)
    this.silence = this.wait()
  }

  end(): void {
    clearTimeout(this.total)
    clearTimeout(this.silence)
    this.caller.removeEventListener('abort', this.giveUp)
  }

  private wait(): NodeJS.Timeout {
    return setTimeout(() => this.exceed(this.timeout), this.timeout * 1000)
  }

  private exceed(seconds: number): void {
    this.exceeded ??= seconds
    this.giveUp()
  }

  /** The server is told this much. */
  private readonly giveUp = () => this.over.abort(new Error('the call was given up'))
}
