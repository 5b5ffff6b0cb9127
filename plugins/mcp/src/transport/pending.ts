import type { RequestId } from '@modelcontextprotocol/sdk/types.js'

/** A request that has no response yet. */
export interface Pending {
  /** Aborts reading the response, which the MCP SDK does not do when the request is cancelled. */
  readonly readController: AbortController
  /** The headers of the trace that it belongs to. */
  readonly trace: Readonly<Record<string, string>>
  /** The token with which its response can be resumed. */
  resumption?: string
}

/** The maximum number of remembered tokens; the MCP SDK resumes a response within seconds, if at all. */
const maxAbandoned = 1000

/** The requests of a connection that have no response yet. */
export class PendingRequests {
  private readonly requests = new Map<RequestId, Pending>()
  /** Resumption tokens of responses that nobody waits for. */
  private readonly abandoned = new Set<string>()

  add(id: RequestId, trace: Pending['trace']): Pending {
    const pending: Pending = { readController: new AbortController(), trace }
    this.requests.set(id, pending)
    return pending
  }

  get(id: RequestId): Pending | undefined {
    return this.requests.get(id)
  }

  /** The id of the request whose response a token resumes. */
  requestIdOf(resumption: string): RequestId | undefined {
    return [...this.requests].find(([, pending]) => pending.resumption === resumption)?.[0]
  }

  /** @returns the request; undefined where it was not pending */
  forget(id: RequestId): Pending | undefined {
    const pending = this.requests.get(id)
    this.requests.delete(id)
    if (pending?.resumption !== undefined) this.abandoned.add(pending.resumption)
    const [oldest] = this.abandoned
    if (oldest !== undefined && this.abandoned.size > maxAbandoned) this.abandoned.delete(oldest)
    return pending
  }

  /** Forgets an abandoned token: the MCP SDK tries to resume it once. @returns false for any other token */
  takeAbandoned(resumption: string): boolean {
    return this.abandoned.delete(resumption)
  }

  abort(reason: Error): void {
    for (const { readController } of this.requests.values()) readController.abort(reason)
    this.requests.clear()
  }
}
