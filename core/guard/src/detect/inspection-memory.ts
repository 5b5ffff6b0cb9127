import { createHash } from 'node:crypto'
import type { CheckPolicy, Inspection, InspectionRequest } from '@sallyport/core'
import { RecentlyUsed } from '@sallyport/kit/lists'

/** Inspections and findings together: some 20 MB. */
const maxKept = 50_000

/**
 * What detectors found in texts that recur, such as descriptions of tools: while a kernel runs, its detectors stay the
 * same. Policies decide anew each time. Texts are not kept, only their hashes, and each tenant has its own, for how fast
 * an answer comes would tell others what has been read before.
 */
export class InspectionMemory {
  private readonly known = new RecentlyUsed<Inspection>(maxKept, ({ findings }) => 1 + findings.length)

  /** @throws what `inspect` throws, and that is not remembered */
  async recall(
    { check, detectors, combine, threshold }: CheckPolicy,
    request: InspectionRequest,
    tenant: string,
    inspect: () => Promise<Inspection>,
  ): Promise<Inspection> {
    const key = hashOf([check, detectors && [detectors, combine, threshold], tenant, request])
    const known = this.known.get(key)
    if (known) return { ...known, latency: 0 }
    const inspection = await inspect()
    this.known.set(key, inspection)
    return inspection
  }
}

/** SHA-256, as tools are pinned by. */
const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64')
