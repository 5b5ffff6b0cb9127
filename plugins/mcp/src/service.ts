/** The model `mcp`, and the service that connects to the servers of the configuration. */

import { baseDirectory, home, inject, injectable } from '@sallyport/core'
import { kernel as kernelToken, logger as loggerToken, options as optionsToken } from '@sallyport/core'
import type { Call, ExamineContext, Kernel, Logger, OutsideReport, Service } from '@sallyport/core'
import type { ToolCallRequest, ToolCallResult, ToolListRequest, ToolsCapability, ToolServer } from '@sallyport/core'
import { examineServers } from './examine.js'
import type { McpOptions } from './options.js'
import { ToolServers } from './servers.js'

/** Model and service are constructed by separate containers, so they find the tool servers by their kernel. */
const byKernel = new WeakMap<Kernel, ToolServers>()

@injectable()
class SharedServers {
  readonly servers: ToolServers

  constructor(
    @inject(kernelToken) kernel: Kernel,
    @inject(optionsToken) options: McpOptions,
    @inject(loggerToken) logger: Logger,
    @inject(home) home: string,
    @inject(baseDirectory) directory: string,
  ) {
    this.servers = byKernel.get(kernel) ?? new ToolServers({ options, logger, home, directory })
    byKernel.set(kernel, this.servers)
  }
}

@injectable()
export class McpTools implements ToolsCapability {
  constructor(@inject(SharedServers) private readonly shared: SharedServers) {}

  list(request: ToolListRequest, call: Call): Promise<{ servers: ToolServer[] }> {
    return this.shared.servers.list(request, call)
  }

  call(request: ToolCallRequest, call: Call): Promise<ToolCallResult> {
    return this.shared.servers.call(request, call)
  }
}

/** Connects to the tool servers of the configuration at the start, and ends all connections at the stop. */
@injectable()
export class ToolServerService implements Service {
  static readonly summary = 'reaches tool servers'
  static readonly examine = (options: unknown, context: ExamineContext): Promise<OutsideReport | undefined> =>
    examineServers(options as McpOptions, context)

  private readonly servers: ToolServers

  /** @throws config_invalid, without starting anything */
  constructor(@inject(SharedServers) { servers }: SharedServers) {
    servers.check()
    this.servers = servers
  }

  start(): Promise<void> {
    this.servers.start()
    return Promise.resolve()
  }

  stop(): Promise<void> {
    return this.servers.stop()
  }
}
