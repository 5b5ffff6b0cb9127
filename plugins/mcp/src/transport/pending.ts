import type { RequestId } from '@modelcontextprotocol/sdk/types.js'

/** A request that has no answer yet. */
export interface Pending {
  /** Ends the reading of its answer when it is cancelled: the library goes on to read. */
  readonly reading: AbortController
  /** Where its answer can be taken up again. */
  resumption?: string
}

/** The library asks for the rest of an answer within seconds, if at all. */
const maxOver = 1000

/** The requests of a connection that have no answer yet. */
export class PendingRequests {
  private readonly requests = new Map<RequestId, Pending>()
  /** Where answers could be taken up again that nobody waits for. */
  private readonly over = new Set<string>()

  add(id: RequestId): Pending {
    const pending: Pending = { reading: new AbortController() }
    this.requests.set(id, pending)
    return pending
  }

  get(id: RequestId): Pending | undefined {
    return this.requests.get(id)
  }

  /** The request whose answer is taken up again there. */
  resumedAt(resumption: string): RequestId | undefined {
    return [...this.requests].find(([, pending]) => pending.resumption === resumption)?.[0]
  }

  /** @returns what it was; undefined where it had been forgotten before */
  forget(id: RequestId): Pending | undefined {
    const pending = this.requests.get(id)
    this.requests.delete(id)
    if (pending?.resumption !== undefined) this.over.add(pending.resumption)
    const [oldest] = this.over
    if (oldest !== undefined && this.over.size > maxOver) this.over.delete(oldest)
    return pending
  }

  /** Whether nobody waits for the answer that could be taken up again there; the library asks once. */
  isOver(resumption: string): boolean {
    return this.over.delete(resumption)
  }

  /** Ends the reading of all answers. */
  abort(reason: Error): void {
    for (const { reading } of this.requests.values()) reading.abort(reason)
    this.requests.clear()
  }
}
