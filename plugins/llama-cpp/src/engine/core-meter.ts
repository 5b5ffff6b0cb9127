import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Milliseconds between two measurements. The system counts in steps of ten. */
const window = 200
const millisecondsPerTick = 10

interface Reading {
  /** The time on the clock of `performance.now()`. */
  readonly at: number
  /** Milliseconds of work of all cores. */
  readonly all: number
  /** Milliseconds of work of this process. */
  readonly own: number
}

/** Measures how many cores other processes keep busy. */
export class CoreMeter {
  private last = read()
  private busy = 0

  /** The cores that this process could use in the last fraction of a second without taking them from others. */
  free(): number {
    const now = performance.now()
    if (now - this.last.at >= window) {
      const next = read()
      const others = next.all - this.last.all - (next.own - this.last.own)
      this.busy = Math.max(0, others / (next.at - this.last.at))
      this.last = next
    }
    return availableParallelism() - this.busy
  }
}

const read = (): Reading => {
  const { user, system } = process.cpuUsage()
  return { at: performance.now(), all: workOfAllCores(), own: (user + system) / 1000 }
}

/** `os.cpus()` asks Linux for frequencies, too, which takes milliseconds on machines with many cores. */
const workOfAllCores = (): number =>
  process.platform === 'linux'
    ? workOf(readFileSync('/proc/stat', 'utf8'))
    : cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)

/** The first line of `/proc/stat` sums up all cores: user nice system idle iowait irq softirq steal. */
const workOf = (stat: string): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = stat
    .slice(0, stat.indexOf('\n'))
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * millisecondsPerTick
}
