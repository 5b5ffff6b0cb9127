import { totalmem } from 'node:os'
import { failure } from '../errors/index.js'
import { formatBytes } from '../store/units.js'
import type { MemoryEstimate } from './model.js'

/** Bytes that this process and its children may use together: the machine's, or the control group's limit. */
export const availableMemory = (): number => {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

export const totalBytes = ({ weights, cache, compute }: MemoryEstimate): number => weights + cache + compute

/**
 * Refuses models that do not fit together.
 * @param share of the memory that models may need, 0..1
 * @throws insufficient_memory, naming what each model needs
 */
export const checkMemory = (estimates: ReadonlyMap<string, MemoryEstimate>, share: number): void => {
  const available = availableMemory() * share
  const needed = [...estimates.values()].reduce((sum, estimate) => sum + totalBytes(estimate), 0)
  if (needed <= available) return
  const models = [...estimates].map(([id, estimate]) => `${id} ${formatBytes(totalBytes(estimate))}`).join(', ')
  throw failure('insufficient_memory', {
    problem:
      `the models need ${formatBytes(needed)} (${models}), and ${formatBytes(available)} may be used: ` +
      'choose smaller models, a shorter context or fewer parallel sequences, or raise limits.memory',
  })
}
