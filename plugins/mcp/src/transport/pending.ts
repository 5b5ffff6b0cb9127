import type { RequestId } from '@modelcontextprotocol/sdk/types.js'

/** A request that has no answer yet. */
export interface Pending {
  /** Aborts reading its answer when it is cancelled, which the library does not do. */
  readonly reading: AbortController
  /** The token with which its answer can be resumed. */
  resumption?: string
}

/** Max remembered tokens: the library resumes an answer within seconds, if at all. */
const maxOver = 1000

/** The requests of a connection that have no answer yet. */
export class PendingRequests {
  private readonly requests = new Map<RequestId, Pending>()
  /** Resumption tokens of answers that nobody waits for. */
  private readonly over = new Set<string>()

  add(id: RequestId): Pending {
    const pending: Pending = { reading: new AbortController() }
    this.requests.set(id, pending)
    return pending
  }

  get(id: RequestId): Pending | undefined {
    return this.requests.get(id)
  }

  /** The request whose answer a token resumes. */
  resumedAt(resumption: string): RequestId | undefined {
    return [...this.requests].find(([, pending]) => pending.resumption === resumption)?.[0]
  }

  /** @returns the request; undefined where it was not pending */
  forget(id: RequestId): Pending | undefined {
    const pending = this.requests.get(id)
    this.requests.delete(id)
    if (pending?.resumption !== undefined) this.over.add(pending.resumption)
    const [oldest] = this.over
    if (oldest !== undefined && this.over.size > maxOver) this.over.delete(oldest)
    return pending
  }

  /** Whether nobody waits for the answer of a token; true only once, for the library asks once. */
  isOver(resumption: string): boolean {
    return this.over.delete(resumption)
  }

  /** Aborts reading all answers. */
  abort(reason: Error): void {
    for (const { reading } of this.requests.values()) reading.abort(reason)
    this.requests.clear()
  }
}
