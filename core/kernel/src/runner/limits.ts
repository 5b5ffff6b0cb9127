import { restartLimits } from '@sallyport/kit/processes'
import type { RestartLimits } from '@sallyport/kit/processes'

/** How long is waited for a model's process. All times in milliseconds. */
export interface HostLimits {
  /**
   * Silence, pings unanswered, after which the process counts as hung: its event loop stands still, which native code
   * may cause for seconds.
   */
  readonly silence: number
  /** Silence of the thread that gives signs of life, after which it counts as stopped: nothing of it runs. */
  readonly pulseSilence: number
  /** The same while it loads. */
  readonly loadSilence: number
  /** How long a call waits for a process that is being restarted. */
  readonly restartWait: number
  /** What each step of stopping may take: asking, insisting. */
  readonly stopGrace: number
  readonly restart: RestartLimits
}

export const hostLimits: HostLimits = {
  silence: 30_000,
  pulseSilence: 5000,
  loadSilence: 300_000,
  restartWait: 5000,
  stopGrace: 2000,
  restart: restartLimits,
}
