import { monitorEventLoopDelay } from 'node:perf_hooks'

/** `lag`: of the event loop since `watch`. */
export type LagQuestion = 'watch' | 'lag'

/** Milliseconds; the histogram holds times from one tick of a timer to the next. */
const resolution = 1

const delays = monitorEventLoopDelay({ resolution })

export const watch = (): number[] => {
  delays.reset()
  delays.enable()
  return []
}

/** Milliseconds: the longest, and the 99th percentile. */
export const lag = (): number[] => {
  delays.disable()
  return [delays.max, delays.percentile(99)].map((nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution))
}
