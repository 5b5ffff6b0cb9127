/** Notices that the other side has fallen silent. */

import type { Readable } from 'node:stream'

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

/**
 * Notices when the thread that gives signs of life falls silent: then nothing of the process runs, however busy its
 * event loop may be. It counts from the first sign: without that thread there is none.
 * @param limit milliseconds
 * @returns ends the watch
 */
export const watchPulse = (lifeline: Readable, limit: number, onSilent: (reason: string) => void): (() => void) => {
  let liveness: Liveness | undefined
  lifeline.on('error', () => undefined)
  lifeline.on('data', () => {
    liveness ??= new Liveness({
      interval: limit / 10,
      limit: () => limit,
      busy: () => true,
      ping: () => undefined,
      dead: (silence) => onSilent(`it was stopped: no sign of life for ${seconds(silence)}`),
    })
    liveness.heard()
  })
  return () => liveness?.stop()
}
