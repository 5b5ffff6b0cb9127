/** Servers that requests name: strangers, each connection for one tenant, address and set of credentials. */

import { createHash } from 'node:crypto'
import { failure, untilAborted } from '@sallyport/core'
import type { Call, Logger, RequestedServer, ToolCallResult, ToolServer } from '@sallyport/core'
import { GuardedFetch, OutboundError } from '@sallyport/core/outbound'
import { serverFailure, unknownTool } from '../fault.js'
import { credentialsOf, HeaderProblem } from '../headers.js'
import type { RequestOptions } from '../options.js'
import { FirstListing } from '../pins/approval.js'
import { toTool } from '../tool.js'
import { httpWays } from '../ways.js'
import type { Connection } from './connection.js'
import { openConnection } from './open.js'

/** A connection that stands, or is being made, with what it said of its tools first. */
interface Held {
  readonly opening: Promise<Connection>
  readonly giveUp: AbortController
  readonly approval: FirstListing
  readonly since: number
  users: number
  idle: NodeJS.Timeout | undefined
}

export class RequestedServers {
  private readonly fetch: GuardedFetch
  /** The one that was used last stands last. */
  private readonly held = new Map<string, Held>()
  private stopped = false

  constructor(
    private readonly options: RequestOptions,
    private readonly logger: Logger,
  ) {
    const { allow, privateAddresses } = options
    this.fetch = new GuardedFetch({ hosts: allow, privateAddresses })
  }

  /** @throws unsupported, invalid_request, upstream_failed, deadline_exceeded, overloaded; the signal's reason */
  list(requested: RequestedServer, call: Call): Promise<ToolServer> {
    const { label, description } = requested
    return this.with(requested, call, async (connection, { approval, since }) => ({
      label,
      ...(description !== undefined && { description }),
      created: since,
      tools: approval.judge(await connection.tools(call.signal)).offered.map(toTool),
    }))
  }

  /** @throws those of `list` */
  call(requested: RequestedServer, name: string, given: unknown, call: Call): Promise<ToolCallResult> {
    const { label } = requested
    return this.with(requested, call, async (connection, { approval }) => {
      const { offered, refused } = approval.judge(await connection.tools(call.signal))
      if (refused.has(name))
        throw failure('unsupported', {
          field: 'name',
          problem: `the tool ${name} of the server ${label} has changed since it was first listed: list its tools again later`,
        })
      if (!offered.some((tool) => tool.name === name)) throw unknownTool(label, name)
      return connection.call(name, given, call.signal)
    })
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all([...this.held.keys()].map((key) => this.drop(key)))
  }

  private async with<Result>(
    requested: RequestedServer,
    { signal, tenant }: Call,
    work: (connection: Connection, held: Held) => Promise<Result>,
  ): Promise<Result> {
    try {
      const credentials = this.credentialsOf(requested)
      const key = hashOf([tenant, requested.url, Object.entries(credentials).sort()])
      return await this.using(key, this.take(key, requested.url, credentials), signal, work)
    } catch (error) {
      signal.throwIfAborted()
      throw requestFailure(requested.label, error)
    }
  }

  private async using<Result>(
    key: string,
    held: Held,
    signal: AbortSignal,
    work: (connection: Connection, held: Held) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(await untilAborted(held.opening, signal), held)
    } finally {
      this.release(key, held)
    }
  }

  /** @throws unsupported, invalid_request; OutboundError for an address that is none */
  private credentialsOf({ url, authorization, headers = [] }: RequestedServer): Readonly<Record<string, string>> {
    if (!this.options.allow.length)
      throw notAllowed('requests may not name tool servers: the operator can allow hosts with mcp.requests.allow')
    if (!URL.canParse(url)) throw new OutboundError('malformed', 'no URL')
    try {
      return credentialsOf(
        headers.map(({ name, value }) => [name, value]),
        authorization,
      )
    } catch (error) {
      if (!(error instanceof HeaderProblem)) throw error
      const field = error.index === undefined ? 'authorization' : `headers[${error.index}].${error.part}`
      throw failure('invalid_request', { field: `requested.${field}`, problem: error.message })
    }
  }

  private take(key: string, url: string, credentials: Readonly<Record<string, string>>): Held {
    if (this.stopped) throw failure('not_ready', { state: 'draining' })
    const held = this.held.get(key) ?? this.open(key, url, credentials)
    clearTimeout(held.idle)
    held.users += 1
    this.held.delete(key)
    this.held.set(key, held)
    return held
  }

  private release(key: string, held: Held): void {
    held.users -= 1
    if (held.users === 0 && this.held.get(key) === held)
      held.idle = setTimeout(() => void this.drop(key, held), this.options.idle * 1000)
  }

  private open(key: string, url: string, credentials: Readonly<Record<string, string>>): Held {
    this.makeRoom()
    const giveUp = new AbortController()
    const ways = httpWays({ url, credentials, fetch: this.fetch }, this.options, 'auto')
    const opening = openConnection({ ways, limits: this.options, logger: this.logger }, giveUp.signal)
    const since = Math.floor(Date.now() / 1000)
    const held: Held = { opening, giveUp, approval: new FirstListing(), since, users: 0, idle: undefined }
    // a connection that is lost closes itself when its last call has ended
    const forget = () => this.forget(key, held)
    opening.then(({ ended }) => ended.then(forget), forget)
    return held
  }

  /** @throws overloaded where all are in use */
  private makeRoom(): void {
    if (this.held.size < this.options.connections) return
    const oldest = [...this.held].find(([, { users }]) => users === 0)
    if (!oldest)
      throw failure('overloaded', { problem: 'too many tool servers of requests are in use: try again later' })
    void this.drop(...oldest)
  }

  private forget(key: string, held: Held): void {
    if (this.held.get(key) === held) this.held.delete(key)
    clearTimeout(held.idle)
  }

  /** Returns when nothing of it is left. */
  private async drop(key: string, held = this.held.get(key)): Promise<void> {
    if (!held) return
    this.forget(key, held)
    held.giveUp.abort(failure('not_ready', { state: 'draining' }))
    await held.opening.then(
      (connection) => connection.close(),
      () => undefined,
    )
  }
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

const notAllowed = (problem: string) => failure('unsupported', { field: 'requested.url', problem })

const requestFailure = (label: string, error: unknown) => {
  if (!(error instanceof OutboundError)) return serverFailure(label, error)
  if (error.reason === 'host')
    return notAllowed('its host or port is not among those that the operator allows with mcp.requests.allow')
  const problem = addressProblems.get(error.reason)
  if (problem === undefined) return serverFailure(label, error)
  return failure('invalid_request', { field: 'requested.url', problem }, { cause: error })
}

const addressProblems: ReadonlyMap<string, string> = new Map([
  ['malformed', 'must be an address such as https://tools.example.com/mcp'],
  ['scheme', 'must begin with https:// or http://'],
  ['credentials', 'must have no user name or password: use authorization or headers'],
])
