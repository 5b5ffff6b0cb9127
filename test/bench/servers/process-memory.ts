/** Resident memory of a process and its children. */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  /** Bytes. */
  readonly resident: number
}

export interface TreeMemory {
  /** Bytes of the process itself. */
  readonly server: number
  /** Bytes of all that it has started. */
  readonly children: number
}

export const treeMemory = (pid: number): TreeMemory => {
  const processes = listProcesses()
  const descendants = (parent: number): ProcessFacts[] =>
    processes
      .filter((process) => process.parent === parent)
      .flatMap((process) => [process, ...descendants(process.pid)])
  return {
    server: processes.find((process) => process.pid === pid)?.resident ?? 0,
    children: descendants(pid).reduce((sum, { resident }) => sum + resident, 0),
  }
}

const listProcesses = (): ProcessFacts[] => (process.platform === 'linux' ? fromProc() : fromPs())

const fromProc = (): ProcessFacts[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const status = readStatus(name)
      const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return status ? [{ pid: Number(name), parent: field('PPid'), resident: field('VmRSS') * 1024 }] : []
    })

/** Empty when the process has ended since. */
const readStatus = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

const fromPs = (): ProcessFacts[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number)
      return { pid, parent, resident: kilobytes * 1024 }
    })
