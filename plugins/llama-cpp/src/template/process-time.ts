import { existsSync, readFileSync } from 'node:fs'

const millisecondsPerTick = 10
/** Only Linux has this file. */
const hasProcessTimes = existsSync('/proc/self/stat')

/**
 * The processor time of a process in milliseconds, in steps of ten; Infinity after its end. On systems without `/proc`
 * it is the time of the clock, which passes as fast for a process that never waits.
 */
export const processTime = (id: number | undefined, isKnown = hasProcessTimes): number => {
  if (!isKnown || id === undefined) return performance.now()
  try {
    // after the name in parentheses: state, and eleven fields later utime and stime (proc_pid_stat(5))
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) * millisecondsPerTick
  } catch {
    return Infinity
  }
}
