import {
  baseDirectory,
  home,
  inject,
  injectable,
  kernel as kernelToken,
  logger as loggerToken,
  options as optionsToken,
} from '@sallyport/core'
import type { Kernel, Logger, Service } from '@sallyport/core'
import type { McpOptions } from './options.js'
import { serversOf } from './servers.js'
import type { Servers } from './servers.js'
import { checkServers } from './ways.js'

/** Reaches the tool servers of the configuration, and stops what it has started. */
@injectable()
export class ToolServers implements Service {
  static readonly summary = 'reaches tool servers'
  private readonly servers: Servers

  /** @throws config_invalid for what can be told without starting anything */
  constructor(
    @inject(kernelToken) kernel: Kernel,
    @inject(optionsToken) options: McpOptions,
    @inject(loggerToken) logger: Logger,
    @inject(home) home: string,
    @inject(baseDirectory) directory: string,
  ) {
    checkServers(options.servers, directory)
    this.servers = serversOf(kernel, { options, logger, home, directory })
  }

  start(): Promise<void> {
    this.servers.start()
    return Promise.resolve()
  }

  stop(): Promise<void> {
    return this.servers.stop()
  }
}
