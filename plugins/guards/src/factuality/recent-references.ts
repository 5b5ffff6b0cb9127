import type { Pacer } from '@sallyport/kit/async'
import { Reference } from './reference.js'

interface Read {
  readonly tenant: string
  readonly text: string
  readonly reference: Reference
}

/** Answers that may be under way side by side, each with its own. */
const most = 8

/**
 * References that were read lately: the sentences of an answer are compared with the same one, each by itself. Each tenant
 * has its own, for how fast an answer comes would tell what others have sent.
 */
export class RecentReferences {
  /** The latest first. Held weakly: what a caller has said does not stay in memory. */
  private known: readonly WeakRef<Read>[] = []

  async read(text: string, pacer: Pacer): Promise<Reference> {
    const { tenant } = pacer.call
    const known = this.find(text, tenant)
    if (known) return known.reference
    const read = { tenant, text, reference: await Reference.read(text, pacer) }
    this.known = [new WeakRef(read), ...this.known].slice(0, most)
    return read.reference
  }

  private find(text: string, tenant: string): Read | undefined {
    for (const held of this.known) {
      const read = held.deref()
      if (read?.text !== text || read.tenant !== tenant) continue
      this.known = [held, ...this.known.filter((other) => other !== held)]
      return read
    }
    return undefined
  }
}
