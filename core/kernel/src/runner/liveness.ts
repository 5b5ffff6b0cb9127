/** Notices that the other side has fallen silent. */

import type { Readable } from 'node:stream'

interface LivenessOptions {
  ping: () => void
  /** Called once, with the milliseconds of silence. */
  onSilent: (silence: number) => void
  /** Whether calls are in flight: the other side then sends heartbeats unasked, so a ping follows silence sooner. */
  busy: () => boolean
  /** Milliseconds of silence that are allowed now. */
  maxSilence: () => number
  /** Milliseconds between checks. */
  interval: number
}

/** Milliseconds as seconds, for messages. */
export const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export class Liveness {
  private silence = 0
  private readonly timer: NodeJS.Timeout

  constructor(private readonly options: LivenessOptions) {
    this.timer = setInterval(() => this.check(), options.interval)
    this.timer.unref()
  }

  reset(): void {
    this.silence = 0
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Counts silence in checks rather than on a clock: while this process is suspended, the other side is not silent. */
  private check(): void {
    const { ping, onSilent, busy, maxSilence, interval } = this.options
    this.silence += interval
    if (this.silence > maxSilence()) {
      this.stop()
      onSilent(this.silence)
    } else if (this.silence > (busy() ? interval : maxSilence() / 3)) ping()
  }
}

/**
 * Notices when the watchdog thread of a process falls silent. No thread of the process runs then: a busy event loop
 * would not stop that thread. Monitoring begins with the first heartbeat, since the thread may have failed to start.
 * @param limit milliseconds of silence
 * @returns a function that ends the monitoring
 */
export const monitorWatchdog = (pipe: Readable, limit: number, onSilent: (reason: string) => void): (() => void) => {
  let liveness: Liveness | undefined
  pipe.on('error', () => undefined)
  pipe.on('data', () => {
    liveness ??= new Liveness({
      interval: limit / 10,
      maxSilence: () => limit,
      busy: () => true,
      ping: () => undefined,
      onSilent: (silence) => onSilent(`it was suspended: no heartbeat for ${formatSeconds(silence)}`),
    })
    liveness.reset()
  })
  return () => liveness?.stop()
}
