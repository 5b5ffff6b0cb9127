/** Notices that the other side has fallen silent. */

export interface LivenessOptions {
  ping: () => void
  /** Called once, with the milliseconds of silence. */
  dead: (silence: number) => void
  /** Whether calls are in flight: the other side then sends heartbeats of its own accord. */
  busy: () => boolean
  /** Milliseconds of silence that are allowed now. */
  limit: () => number
  /** Milliseconds between checks. */
  interval: number
}

/** Milliseconds as a message says them. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export class Liveness {
  private silence = 0
  private readonly timer: NodeJS.Timeout

  constructor(private readonly options: LivenessOptions) {
    this.timer = setInterval(() => this.check(), options.interval)
    this.timer.unref()
  }

  heard(): void {
    this.silence = 0
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Silence is counted in checks and not on a clock: while this process was suspended, nobody was silent. */
  private check(): void {
    const { ping, dead, busy, limit, interval } = this.options
    this.silence += interval
    if (this.silence > limit()) {
      this.stop()
      dead(this.silence)
    } else if (this.silence > (busy() ? interval : limit() / 3)) ping()
  }
}
