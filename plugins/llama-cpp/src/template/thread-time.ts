import { readFileSync, readlinkSync } from 'node:fs'

const millisecondsPerTick = 10

/** The calling thread's id for {@link threadTime}; undefined where the system does not tell (other than Linux). */
export const threadId = (): string | undefined => {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1)
  } catch {
    return undefined
  }
}

/**
 * Milliseconds that a thread of this process has worked, in steps of ten; those on the clock where the system does not
 * tell, for a thread that never waits works as long.
 */
export const threadTime = (id: string | undefined): number => {
  if (id === undefined) return performance.now()
  try {
    // after the name in parentheses: state, and eleven fields later utime and stime (proc_pid_stat(5))
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
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
