import { setMaxListeners } from 'node:events'

/** Limits the time of a call: between two progress notifications, and in total. */
export class TimeLimit {
  private readonly controller = new AbortController()
  private readonly total: NodeJS.Timeout
  private silence: NodeJS.Timeout
  /** The limit in seconds that was exceeded; undefined where none was, or where the caller aborted. */
  exceeded: number | undefined

  /**
   * @param timeout seconds between two progress notifications
   * @param max seconds in total
   */
  constructor(
    private readonly caller: AbortSignal,
    private readonly timeout: number,
    max: number,
  ) {
    // each page of a list leaves a listener on the signal
    setMaxListeners(0, this.controller.signal)
    caller.addEventListener('abort', this.giveUp, { once: true })
    this.total = setTimeout(() => this.exceed(max), max * 1000)
    this.silence = this.wait()
  }

  get signal(): AbortSignal {
    return this.controller.signal
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

  /** The MCP SDK sends this reason to the server. */
  private readonly giveUp = () => this.controller.abort(new Error('the call was cancelled'))
}
