import { createHash } from 'node:crypto'
import type { CheckPolicy, Inspection, InspectionRequest } from '@sallyport/core'
import { RecentlyUsed } from '@sallyport/kit/lists'

/** Maximum number of inspections and findings together, which take about 20 MB. */
const maxKept = 50_000

/**
 * Remembers inspections of recurring texts, such as tool descriptions; the detectors of a running kernel do not change.
 * Policies decide anew each time. Only hashes of texts are kept, separately for each tenant: otherwise response times
 * would show what other tenants have sent.
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

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64')
