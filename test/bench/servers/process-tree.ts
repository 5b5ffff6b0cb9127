/** What a process and its children have used. */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface Resources {
  /** Bytes of resident memory. */
  readonly resident: number
  /** Milliseconds of processor time so far. */
  readonly cpu: number
}

interface ProcessFacts extends Resources {
  readonly pid: number
  readonly parent: number
}

export interface TreeResources {
  readonly server: Resources
  /** All that it has started. */
  readonly children: Resources
}

export const treeResources = (pid: number): TreeResources => {
  const processes = process.platform === 'linux' ? fromProc() : fromPs()
  const descendants = (parent: number): ProcessFacts[] =>
    processes.filter((each) => each.parent === parent).flatMap((each) => [each, ...descendants(each.pid)])
  return { server: sum(processes.filter((each) => each.pid === pid)), children: sum(descendants(pid)) }
}

const sum = (processes: readonly Resources[]): Resources => ({
  resident: processes.reduce((total, { resident }) => total + resident, 0),
  cpu: processes.reduce((total, { cpu }) => total + cpu, 0),
})

/** Milliseconds; the unit of the kernel's interface, whatever its own clock. */
const tick = 10

const fromProc = (): ProcessFacts[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [status, stat] = [read(`/proc/${name}/status`), read(`/proc/${name}/stat`)]
      if (!status || !stat) return []
      const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return [{ pid: Number(name), parent: field('PPid'), resident: field('VmRSS') * 1024, cpu: cpuOf(stat) }]
    })

/** User and system time. The name, which comes second, may have spaces and brackets in it. */
const cpuOf = (stat: string): number => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tick
}

/** Empty when the process has ended since. */
const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const fromPs = (): ProcessFacts[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, kilobytes, time = ''] = line.trim().split(/\s+/)
      const seconds = time.split(':').reduce((total, part) => total * 60 + Number(part), 0)
      return { pid: Number(pid), parent: Number(parent), resident: Number(kilobytes) * 1024, cpu: seconds * 1000 }
    })
