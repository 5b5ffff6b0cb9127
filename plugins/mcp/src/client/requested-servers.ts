/** Untrusted servers that requests name. Each connection belongs to one tenant, address and set of credentials. */

import { createHash } from 'node:crypto'
import { failure } from '@sallyport/core'
import type { Call, Logger, RequestedServer, ToolCallResult, ToolServer } from '@sallyport/core'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { OutboundFetch, OutboundError } from '@sallyport/outbound'
import { serverFailure, unknownTool } from '../fault.js'
import { validHeaders, HeaderProblem } from '../headers.js'
import type { RequestedServerOptions } from '../options.js'
import type { TrustOnFirstUse, Objection } from '../pins/approval.js'
import { SchemaSizeLimit } from '../schemas.js'
import { toTool } from '../tool.js'
import { httpTransports } from '../transports.js'
import { ConnectionPool } from './connection-pool.js'
import type { Connection } from './connection.js'
import { openConnection } from './open.js'

export class RequestedServers {
  private readonly fetch: OutboundFetch
  private readonly pool: ConnectionPool
  private readonly schemaSizeLimit = new SchemaSizeLimit()

  constructor(
    private readonly options: RequestedServerOptions,
    private readonly logger: Logger,
    private readonly schemaChecker: SchemaChecker,
  ) {
    const { allow, privateAddresses } = options
    this.fetch = new OutboundFetch({ hosts: allow, privateAddresses })
    this.pool = new ConnectionPool(options)
  }

  /** @throws as {@link ToolServers.list} */
  list(requested: RequestedServer, call: Call): Promise<ToolServer> {
    const { label, description } = requested
    return this.withConnection(requested, call, async (connection, approval) => {
      const { tools, created } = await connection.tools(call.signal)
      const offered = this.schemaSizeLimit.leadingThatFit(approval.judge(tools).approved, this.loggerOf(requested))
      return { label, ...(description !== undefined && { description }), created, tools: offered.map(toTool) }
    })
  }

  /**
   * Calls a tool, also one that listings omit for its size.
   * @throws as {@link ToolServers.list}; unsupported also for a tool that is unknown or refused
   */
  call(requested: RequestedServer, name: string, args: unknown, call: Call): Promise<ToolCallResult> {
    const { label } = requested
    return this.withConnection(requested, call, async (connection, approval) => {
      const { approved, refused } = approval.judge((await connection.tools(call.signal)).tools)
      const objection = refused.get(name)
      if (objection) throw this.refusal(label, name, objection)
      if (!approved.some((tool) => tool.name === name)) throw unknownTool(label, name)
      return connection.call(name, args, call)
    })
  }

  async stop(): Promise<void> {
    await this.pool.stop()
  }

  private async withConnection<Result>(
    requested: RequestedServer,
    { signal, tenant }: Call,
    work: (connection: Connection, approval: TrustOnFirstUse) => Promise<Result>,
  ): Promise<Result> {
    try {
      const { url } = requested
      const credentials = this.credentialsOf(requested)
      const key = hashOf([tenant, url, Object.entries(credentials).sort()])
      const transports = httpTransports({ url, credentials, fetch: this.fetch }, tenant, this.options, 'auto')
      const openOptions = {
        transports,
        limits: this.options,
        logger: this.loggerOf(requested),
        schemaChecker: this.schemaChecker,
        tenant,
      }
      return await this.pool.using(
        { key, tenant, signal },
        (openSignal) => openConnection(openOptions, openSignal),
        work,
      )
    } catch (error) {
      signal.throwIfAborted()
      throw requestFailure(requested.label, error)
    }
  }

  /** Tools are remembered for the life of the connection, and each request prolongs it. */
  private refusal(label: string, name: string, objection: Objection) {
    const reason =
      objection === 'changed'
        ? 'has changed since it was first listed'
        : 'exceeds the number of tools that are remembered for a connection'
    const advice = `send no request to the server for ${this.options.idle} seconds, then list its tools again`
    const problem = `the tool ${name} of the server ${label} ${reason}: ${advice}`
    return failure('unsupported', { field: 'name', problem })
  }

  private loggerOf({ url }: RequestedServer): Logger {
    return this.logger.child({ server: new URL(url).origin })
  }

  /** @throws unsupported, invalid_request; OutboundError for an invalid address */
  private credentialsOf({ url, authorization, headers = [] }: RequestedServer): Readonly<Record<string, string>> {
    if (!this.options.allow.length)
      throw notAllowed('requests may not name tool servers: the operator can allow hosts with mcp.requests.allow')
    if (!URL.canParse(url)) throw new OutboundError('malformed', 'not a URL')
    try {
      return validHeaders(
        headers.map(({ name, value }) => [name, value]),
        authorization,
      )
    } catch (error) {
      if (!(error instanceof HeaderProblem)) throw error
      const field = error.index === undefined ? 'authorization' : `headers[${error.index}].${error.part}`
      throw failure('invalid_request', { field: `requested.${field}`, problem: error.message })
    }
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
