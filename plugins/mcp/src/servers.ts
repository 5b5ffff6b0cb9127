/** All tool servers of one kernel: the model `mcp` calls them, the service starts and stops them. */

import { failure } from '@sallyport/core'
import type { Call, Logger } from '@sallyport/core'
import type { ToolCallRequest, ToolCallResult, ToolListRequest, ToolsCapability, ToolServer } from '@sallyport/core'
import { SchemaChecker } from '@sallyport/kit/schemas'
import { ConfiguredServer } from './client/configured-server.js'
import { RequestedServers } from './client/requested-servers.js'
import type { McpOptions, ServerOptions } from './options.js'
import { approveAll, approveOnly } from './pins/approval.js'
import type { Approval } from './pins/approval.js'
import { PinFiles } from './pins/pin-files.js'
import { RememberedPins } from './pins/remembered-pins.js'
import { checkServers, configuredTransports } from './transports.js'

export interface ToolServersParts {
  readonly options: McpOptions
  readonly logger: Logger
  /** The directory in which Sallyport keeps its state. */
  readonly home: string
  /** The directory to which paths of the configuration are relative. */
  readonly directory: string
}

export class ToolServers implements ToolsCapability {
  private configured: ReadonlyMap<string, ConfiguredServer> = new Map()
  private readonly requested: RequestedServers
  private readonly schemaChecker = new SchemaChecker()

  constructor(private readonly parts: ToolServersParts) {
    this.requested = new RequestedServers(parts.options.requests, parts.logger, this.schemaChecker)
  }

  /** Validates the options without starting anything. @throws config_invalid */
  check(): void {
    checkServers(this.parts.options.servers, this.parts.directory)
  }

  start(): void {
    const entries = Object.entries(this.parts.options.servers)
    this.configured = new Map(entries.map(([label, options]) => [label, this.configure(label, options)]))
    for (const server of this.configured.values()) server.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.requested.stop(), ...[...this.configured.values()].map((server) => server.stop())])
    await this.schemaChecker.stop()
  }

  /**
   * Without a named server, lists the configured servers that can be reached.
   * @throws unsupported, invalid_request, upstream_failed, deadline_exceeded, overloaded, not_ready, for a named server;
   * the signal's reason
   */
  async list({ server, requested }: ToolListRequest, call: Call): Promise<{ servers: ToolServer[] }> {
    const { signal } = call
    signal.throwIfAborted()
    if (requested) return { servers: [await this.requested.list(requested, call)] }
    if (server !== undefined) return { servers: [await this.requireServer(server).list(signal)] }
    const listings = await Promise.allSettled([...this.configured.values()].map((each) => each.list(signal)))
    signal.throwIfAborted()
    return { servers: listings.flatMap((listing) => (listing.status === 'fulfilled' ? [listing.value] : [])) }
  }

  async call({ server, requested, name, arguments: args }: ToolCallRequest, call: Call): Promise<ToolCallResult> {
    call.signal.throwIfAborted()
    return requested
      ? this.requested.call(requested, name, args, call)
      : this.requireServer(server).call(name, args, call)
  }

  /** @throws unsupported */
  private requireServer(label: string): ConfiguredServer {
    const server = this.configured.get(label)
    if (server) return server
    const known = [...this.configured.keys()].join(', ') || 'none'
    throw failure('unsupported', {
      field: 'server',
      problem: `there is no tool server ${JSON.stringify(label)}; known: ${known}`,
    })
  }

  private configure(label: string, options: ServerOptions): ConfiguredServer {
    const logger = this.parts.logger.child({ server: label })
    const transports = configuredTransports(label, options, this.parts.directory, logger)
    return new ConfiguredServer({
      label,
      options,
      transports,
      approval: this.approval(label, options, logger),
      logger,
      schemaChecker: this.schemaChecker,
    })
  }

  private approval(label: string, { pin, tools: toolHashes }: ServerOptions, logger: Logger): Approval {
    if (toolHashes) return approveOnly(toolHashes)
    return pin ? new RememberedPins(label, new PinFiles(this.parts.home), logger) : approveAll
  }
}
