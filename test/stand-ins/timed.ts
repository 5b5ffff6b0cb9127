import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Timed<Result> {
  readonly result: Result
  /** Milliseconds of the process's time, which other processes take no part of. */
  readonly total: number
  /** Of the longest part that let no other work run. */
  readonly longest: number
}

/** Milliseconds that work takes, and that it lets others wait at most. */
export const timed = async <Result>(work: () => Promise<Result>): Promise<Timed<Result>> => {
  let [total, longest, done] = [0, 0, false]
  const working = work().finally(() => (done = true))
  do {
    const begin = process.cpuUsage()
    await nextTurn()
    const { user, system } = process.cpuUsage(begin)
    const time = (user + system) / 1000
    total += time
    longest = Math.max(longest, time)
  } while (!done)
  return { result: await working, total, longest }
}
