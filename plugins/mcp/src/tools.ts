import { inject, injectable } from '@sallyport/core'
import type {
  Call,
  ToolCallRequest,
  ToolCallResult,
  ToolListRequest,
  ToolsCapability,
  ToolServer,
} from '@sallyport/core'
import { KernelServers } from './kernel-servers.js'
import type { Servers } from './servers.js'

/** The model `mcp`. */
@injectable()
export class McpTools implements ToolsCapability {
  private readonly servers: Servers

  constructor(@inject(KernelServers) { servers }: KernelServers) {
    this.servers = servers
  }

  async list({ server, requested }: ToolListRequest, call: Call): Promise<{ servers: ToolServer[] }> {
    call.signal.throwIfAborted()
    if (requested) return { servers: [await this.servers.listRequested(requested, call)] }
    return {
      servers: server === undefined ? await this.servers.list(call) : [await this.servers.listOne(server, call)],
    }
  }

  async call(request: ToolCallRequest, call: Call): Promise<ToolCallResult> {
    call.signal.throwIfAborted()
    const { server, requested, name, arguments: given } = request
    return requested
      ? this.servers.callRequested(requested, name, given, call)
      : this.servers.call(server, name, given, call)
  }
}
