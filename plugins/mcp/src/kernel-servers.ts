import {
  baseDirectory,
  home,
  inject,
  injectable,
  kernel as kernelToken,
  logger as loggerToken,
  options as optionsToken,
} from '@sallyport/core'
import type { Kernel, Logger } from '@sallyport/core'
import type { McpOptions } from './options.js'
import { Servers } from './servers.js'

/** The model and the service are made apart, each with a container of its own: what they share is known by the kernel. */
const byKernel = new WeakMap<Kernel, Servers>()

/** The tool servers of the kernel. */
@injectable()
export class KernelServers {
  readonly servers: Servers

  constructor(
    @inject(kernelToken) kernel: Kernel,
    @inject(optionsToken) options: McpOptions,
    @inject(loggerToken) logger: Logger,
    @inject(home) home: string,
    @inject(baseDirectory) directory: string,
  ) {
    this.servers = byKernel.get(kernel) ?? new Servers({ options, logger, home, directory })
    byKernel.set(kernel, this.servers)
  }
}
