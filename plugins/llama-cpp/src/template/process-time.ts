import { existsSync, readFileSync } from 'node:fs'

const millisecondsPerTick = 10
/** Linux alone tells. */
const hasProcessTimes = existsSync('/proc/self/stat')

/**
 * Milliseconds that a process has worked, in steps of ten; those on the clock where the system does not tell, for a
 * process that never waits works as long.
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
