import { createHash } from 'node:crypto'
import type { PolicyEntry, Inspection, InspectionRequest } from '@sallyport/core'
import { LruCache } from '@sallyport/kit/lists'

/** Maximum number of inspections and findings together, which take about 20 MB. */
const maxEntries = 50_000

/**
 * Caches inspections of recurring texts, such as tool descriptions; the detectors of a running kernel do not change.
 * Policies still decide each time. Only hashes of texts are kept, separately for each tenant: otherwise response times
 * would show what other tenants have sent.
 */
export class InspectionCache {
  private readonly entries = new LruCache<Inspection>(maxEntries, ({ findings }) => 1 + findings.length)

  /** @throws what `inspect` throws, and that is not cached */
  async getOrInspect(
    { check, detectors, combine, threshold }: PolicyEntry,
    request: InspectionRequest,
    tenant: string,
    inspect: () => Promise<Inspection>,
  ): Promise<Inspection> {
    const key = hashOf([check, detectors && [detectors, combine, threshold], tenant, request])
    const cached = this.entries.get(key)
    if (cached) return { ...cached, latency: 0 }
    const inspection = await inspect()
    this.entries.set(key, inspection)
    return inspection
  }
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64')
