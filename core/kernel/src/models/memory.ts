import { totalmem } from 'node:os'
import { failure } from '@sallyport/core'
import type { MemoryEstimate } from '@sallyport/core'
import { formatBytes } from '@sallyport/kit/text'

/** The machine's memory, or the control group's limit, in bytes, in use or not. */
const totalMemory = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

export const totalBytes = ({ weights, cache, compute }: MemoryEstimate): number => weights + cache + compute

/** @param share the part of the memory that models may use, 0..1 */
export const usableMemory = (share: number): number => totalMemory() * share

/** Memory in bytes. */
interface MemoryNeed {
  readonly needed: number
  readonly usable: number
}

/** @param share the part of the memory that models may use, 0..1 */
export const memoryNeed = (estimates: ReadonlyMap<string, MemoryEstimate>, share: number): MemoryNeed => ({
  needed: [...estimates.values()].reduce((sum, estimate) => sum + totalBytes(estimate), 0),
  usable: usableMemory(share),
})

/** The message that says what each model needs, where together they do not fit into memory. */
export const memoryShortage = (estimates: ReadonlyMap<string, MemoryEstimate>, share: number): string | undefined => {
  const { needed, usable } = memoryNeed(estimates, share)
  if (needed <= usable) return undefined
  const models = [...estimates].map(([id, estimate]) => `${id} ${formatBytes(totalBytes(estimate))}`).join(', ')
  return (
    `the models need ${formatBytes(needed)} (${models}), and ${formatBytes(usable)} may be used: ` +
    'choose smaller models, a shorter context or fewer parallel sequences, or raise limits.memory'
  )
}

/** Refuses models that together do not fit into memory. @throws insufficient_memory, with what each model needs */
export const checkMemory = (estimates: ReadonlyMap<string, MemoryEstimate>, share: number): void => {
  const problem = memoryShortage(estimates, share)
  if (problem !== undefined) throw failure('insufficient_memory', { problem })
}
