/** Connects to a server of the configuration, watches the connection, and reconnects when it is lost. */

import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '@sallyport/core'
import type { Call, Logger, ToolCallResult, ToolServer } from '@sallyport/core'
import { RestartPolicy } from '@sallyport/kit/processes'
import { untilAborted } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { loggedProblem, problemOf, ServerDown, serverFailure, unknownTool } from '../fault.js'
import type { ServerOptions } from '../options.js'
import type { Approval, Objection } from '../pins/approval.js'
import { SchemaSizeLimit } from '../schemas.js'
import { toTool } from '../tool.js'
import type { ListedTool } from '../tool.js'
import type { TransportFactory } from '../transport/tool-transport.js'
import type { Connection, ToolListing } from './connection.js'
import { openConnection } from './open.js'

/** The back-off of reconnecting; times in milliseconds. */
const restartBackoff = {
  firstDelay: 100,
  baseDelay: 1000,
  maxDelay: 60_000,
  failedDelay: 60_000,
  maxCrashes: 10,
  window: 60_000,
}

export interface ConfiguredServerParts {
  readonly label: string
  readonly options: ServerOptions
  readonly transports: () => readonly TransportFactory[]
  readonly approval: Approval
  readonly logger: Logger
  readonly schemaChecker: SchemaChecker
}

export class ConfiguredServer {
  private readonly restarts = new RestartPolicy(restartBackoff)
  private readonly stopController = new AbortController()
  private current: Connection | undefined
  private lastError: unknown
  /** When the next attempt to connect begins, in terms of `performance.now()`. */
  private nextAttempt = 0
  /** The first attempt to connect, or one to reconnect after a short delay; requests wait for it. Never rejects. */
  private pendingAttempt: Promise<unknown> | undefined
  private runPromise: Promise<void> = Promise.resolve()
  private readonly schemaSizeLimit = new SchemaSizeLimit('; list the ones that you need in allowedTools')

  constructor(private readonly parts: ConfiguredServerParts) {}

  /** Connects in the background: requests for its tools wait for the first connection. */
  start(): void {
    this.runPromise = this.run()
  }

  async stop(): Promise<void> {
    this.stopController.abort(failure('not_ready', { state: 'draining' }))
    await this.runPromise
  }

  /** @throws upstream_failed, deadline_exceeded, overloaded, not_ready; the signal's reason */
  async list(signal: AbortSignal): Promise<ToolServer> {
    const { label, options } = this.parts
    const { tools, created } = await this.listOffered(signal)
    return {
      label,
      ...(options.description !== undefined && { description: options.description }),
      created,
      tools: tools.map(toTool),
    }
  }

  /** @throws unsupported, upstream_failed, deadline_exceeded, overloaded, not_ready; the signal's reason */
  async call(name: string, args: unknown, requester: Requester & Pick<Call, 'trace'>): Promise<ToolCallResult> {
    const { label } = this.parts
    const { signal } = requester
    try {
      const connection = await this.connection(signal)
      this.requireCallable(name, (await connection.tools(signal)).tools)
      return await connection.call(name, args, requester)
    } catch (error) {
      signal.throwIfAborted()
      throw serverFailure(label, error)
    }
  }

  /**
   * The approved and allowed tools whose schemas fit into a request. Listing is safe to repeat, so a lost connection is
   * replaced by the next one.
   */
  private async listOffered(signal: AbortSignal): Promise<ToolListing> {
    try {
      const connection = await this.connection(signal)
      const { tools, created } = await connection.tools(signal).catch(async (error: unknown) => {
        if (connection.isUp) throw error
        return (await this.connection(signal)).tools(signal)
      })
      const { approved } = this.parts.approval.judge(tools)
      const allowed = approved.filter(({ name }) => this.allows(name))
      return { tools: this.schemaSizeLimit.leadingThatFit(allowed, this.parts.logger), created }
    } catch (error) {
      signal.throwIfAborted()
      throw serverFailure(this.parts.label, error)
    }
  }

  /** @throws unsupported where the tool is not approved and allowed; one that listings omit for its size may be called */
  private requireCallable(name: string, listed: readonly ListedTool[]): void {
    const { approved, refused } = this.parts.approval.judge(listed)
    const objection = refused.get(name)
    if (this.allows(name) && objection) throw this.refusal(name, objection)
    if (!this.allows(name) || !approved.some((tool) => tool.name === name)) throw unknownTool(this.parts.label, name)
  }

  private refusal(name: string, objection: Objection) {
    const { label, options } = this.parts
    const remedy = options.tools
      ? `put its hash into mcp.servers.${label}.tools`
      : `look at it and approve it: sallyport tools approve ${label} ${name}`
    const reason = objection === 'changed' ? 'has changed since it was approved' : 'has not been approved'
    return failure('unsupported', {
      field: 'name',
      problem: `the tool ${name} of the server ${label} ${reason}; the operator can ${remedy}`,
    })
  }

  private allows(name: string): boolean {
    return this.parts.options.allowedTools?.includes(name) ?? true
  }

  /** @throws ServerDown; the signal's reason */
  private async connection(signal: AbortSignal): Promise<Connection> {
    if (!this.current?.isUp && this.pendingAttempt) await untilAborted(this.pendingAttempt, signal)
    if (this.current?.isUp) return this.current
    const retryAfter = Math.max(1, Math.ceil((this.nextAttempt - performance.now()) / 1000))
    throw new ServerDown(problemOf(this.lastError), retryAfter)
  }

  private isStopped(): boolean {
    return this.stopController.signal.aborted
  }

  private async run(): Promise<void> {
    let attempt = this.connect(0)
    this.pendingAttempt = attempt
    while (!this.isStopped()) {
      const connection = await attempt
      this.pendingAttempt = undefined
      const uptime = connection ? await this.watch(connection) : 0
      if (this.isStopped()) break
      const { delay } = this.restarts.crashed(performance.now(), uptime)
      this.nextAttempt = performance.now() + delay
      const fields = { problem: loggedProblem(this.lastError), retryInMs: Math.round(delay) }
      this.parts.logger.warn(fields, 'the tool server is down: connecting will be tried again')
      attempt = this.connect(delay)
      // Only the first delay is as short; the second is about the base delay.
      if (connection && delay < restartBackoff.baseDelay / 2) this.pendingAttempt = attempt
    }
    await (await attempt)?.close()
  }

  /** @returns undefined where it failed; `lastError` is the reason */
  private async connect(delay: number): Promise<Connection | undefined> {
    const { label, options, transports, approval, logger, schemaChecker } = this.parts
    const { signal } = this.stopController
    try {
      await sleep(delay, undefined, { signal })
      const openOptions = { transports: transports(), limits: options, logger, schemaChecker, tenant: label }
      const connection = await openConnection(openOptions, signal)
      try {
        const { approved } = approval.judge((await connection.tools(signal)).tools)
        this.current = connection
        logger.info({ tools: approved.length }, 'the tool server is ready')
        return connection
      } catch (error) {
        await connection.close()
        throw error
      }
    } catch (error) {
      this.lastError = error
      return undefined
    }
  }

  /** Waits for the end of a connection. @returns milliseconds that it lasted */
  private async watch(connection: Connection): Promise<number> {
    const since = performance.now()
    await untilAborted(connection.ended, this.stopController.signal).then(
      (reason) => (this.lastError = reason),
      () => connection.close(),
    )
    this.current = undefined
    return performance.now() - since
  }
}
