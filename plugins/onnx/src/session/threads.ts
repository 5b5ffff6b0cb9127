import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The configured number, or else the physical cores that this process may use: hyper-threads would only wait. */
export const threadCount = (configured: number | undefined): number =>
  configured ?? Math.max(1, Math.min(availableParallelism(), physicalCores() ?? Infinity))

/** Undefined on systems other than Linux. */
const physicalCores = (): number | undefined => {
  try {
    return countCores(readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return undefined
  }
}

/** Undefined where the text does not say which core a processor is on (ARM, some virtual machines). */
export const countCores = (cpuinfo: string): number | undefined => {
  const cores = new Set<string>()
  for (const processor of cpuinfo.split('\n\n')) {
    const socket = /^physical id\s*:\s*(\d+)/m.exec(processor)?.[1]
    const core = /^core id\s*:\s*(\d+)/m.exec(processor)?.[1]
    if (core !== undefined) cores.add(`${socket ?? 0}/${core}`)
  }
  return cores.size > 0 ? cores.size : undefined
}
