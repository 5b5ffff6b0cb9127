import { restartLimits } from './restart-policy.js'
import type { RestartLimits } from './restart-policy.js'

/** How long is waited for a model's process. All times in milliseconds. */
export interface HostLimits {
  /** Silence, pings unanswered, after which the process counts as hung. Native code may block it for seconds. */
  readonly silence: number
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
  loadSilence: 300_000,
  restartWait: 5000,
  stopGrace: 2000,
  restart: restartLimits,
}
