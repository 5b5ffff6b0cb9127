/** Keeps connections to servers of requests open for a while, up to a limit. */

import { failure } from '@sallyport/core'
import { untilAborted } from '@sallyport/kit/async'
import type { RequestedServerOptions } from '../options.js'
import { TrustOnFirstUse } from '../pins/approval.js'
import type { Connection } from './connection.js'

/** A connection that is open or being opened, with its pins: each tool as it was first listed. */
export interface PooledConnection {
  readonly key: string
  readonly tenant: string
  readonly opening: Promise<Connection>
  readonly openController: AbortController
  readonly approval: TrustOnFirstUse
  users: number
  idle: NodeJS.Timeout | undefined
}

export class ConnectionPool {
  /** In the order in which they were last taken. */
  private readonly connections = new Map<string, PooledConnection>()
  private stopped = false

  constructor(private readonly options: Pick<RequestedServerOptions, 'connections' | 'idle'>) {}

  /**
   * Runs work with the connection of a key.
   * @param key identifies tenant, address and credentials
   * @param open opens a connection where there is none yet
   * @throws overloaded, not_ready; the signal's reason; any error of `open` and `work`
   */
  async using<Result>(
    { key, tenant, signal }: { readonly key: string; readonly tenant: string; readonly signal: AbortSignal },
    open: (signal: AbortSignal) => Promise<Connection>,
    work: (connection: Connection, approval: TrustOnFirstUse) => Promise<Result>,
  ): Promise<Result> {
    const pooled = this.take(key, tenant, open)
    try {
      return await work(await untilAborted(pooled.opening, signal), pooled.approval)
    } finally {
      this.release(pooled)
    }
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all([...this.connections.values()].map((pooled) => this.drop(pooled)))
  }

  private take(key: string, tenant: string, open: (signal: AbortSignal) => Promise<Connection>): PooledConnection {
    if (this.stopped) throw failure('not_ready', { state: 'draining' })
    const known = this.connections.get(key)
    if (!known?.users) this.requireShare(tenant)
    const pooled = known ?? this.open(key, tenant, open)
    clearTimeout(pooled.idle)
    pooled.users += 1
    this.connections.delete(key)
    this.connections.set(key, pooled)
    return pooled
  }

  private release(pooled: PooledConnection): void {
    pooled.users -= 1
    if (pooled.users === 0 && this.has(pooled))
      pooled.idle = setTimeout(() => void this.drop(pooled), this.options.idle * 1000)
  }

  private open(key: string, tenant: string, open: (signal: AbortSignal) => Promise<Connection>): PooledConnection {
    this.makeRoom()
    const openController = new AbortController()
    const opening = open(openController.signal)
    const approval = new TrustOnFirstUse()
    const pooled: PooledConnection = { key, tenant, opening, openController, approval, users: 0, idle: undefined }
    // a lost connection closes itself when its last call has ended
    const forget = () => this.forget(pooled)
    opening.then(({ ended }) => ended.then(forget), forget)
    return pooled
  }

  /**
   * Lets a tenant use half of the connections that others do not use, so that later tenants find some.
   * @throws overloaded
   */
  private requireShare(tenant: string): void {
    const used = [...this.connections.values()].filter(({ users }) => users > 0)
    const own = used.filter((pooled) => pooled.tenant === tenant).length
    const available = this.options.connections - (used.length - own)
    if (available > 0 && own >= Math.ceil(available / 2))
      throw failure('overloaded', {
        problem: 'too many tool servers of your requests are in use at the same time: try again later',
      })
  }

  /** @throws overloaded where all are in use */
  private makeRoom(): void {
    if (this.connections.size < this.options.connections) return
    const oldest = [...this.connections.values()].find(({ users }) => users === 0)
    if (!oldest)
      throw failure('overloaded', { problem: 'too many tool servers of requests are in use: try again later' })
    void this.drop(oldest)
  }

  private has(pooled: PooledConnection): boolean {
    return this.connections.get(pooled.key) === pooled
  }

  private forget(pooled: PooledConnection): void {
    if (this.has(pooled)) this.connections.delete(pooled.key)
    clearTimeout(pooled.idle)
  }

  /** Resolves when the connection is closed. */
  private async drop(pooled: PooledConnection): Promise<void> {
    this.forget(pooled)
    pooled.openController.abort(failure('not_ready', { state: 'draining' }))
    await pooled.opening.then(
      (connection) => connection.close(),
      () => undefined,
    )
  }
}
