import { inject, injectable } from '@sallyport/core'
import type { ExamineContext, OutsideReport, Service } from '@sallyport/core'
import { examineServers } from './examine.js'
import { KernelServers } from './kernel-servers.js'
import type { McpOptions } from './options.js'
import type { Servers } from './servers.js'

/** Reaches the tool servers of the configuration, and stops what it has started. */
@injectable()
export class ToolServers implements Service {
  static readonly summary = 'reaches tool servers'
  static readonly examine = (options: unknown, context: ExamineContext): Promise<OutsideReport | undefined> =>
    examineServers(options as McpOptions, context)

  private readonly servers: Servers

  /** @throws config_invalid for what can be told without starting anything */
  constructor(@inject(KernelServers) { servers }: KernelServers) {
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
