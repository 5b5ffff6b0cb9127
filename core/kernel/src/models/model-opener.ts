import type { Config, ConfigInput, Kernel, Logger, ModelOpener } from '@sallyport/core'
import type { LoadedPlugin } from '../plugins/load.js'
import type { ModelFileSource } from './model-files.js'

/** `createKernel`, passed in because it imports this module. */
export type CreateKernel = (input: ConfigInput, environment: OpenerEnvironment) => Promise<Kernel>

interface OpenerEnvironment {
  readonly baseDirectory: string
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly services: false
  readonly fileSource: ModelFileSource
}

interface OpenerContext {
  readonly config: Config
  /** The plugins of the configuration, in its order. */
  readonly plugins: readonly LoadedPlugin[]
  readonly fileSource: () => Promise<ModelFileSource>
  readonly logger: Logger
  readonly createKernel: CreateKernel
}

export const modelOpener = ({ config, plugins, fileSource, logger, createKernel }: OpenerContext): ModelOpener => {
  const { plugins: entries, store, limits, baseDirectory } = config
  const hasBackend = (plugin: LoadedPlugin | undefined, backend: string) =>
    Object.hasOwn(plugin?.definition.backends ?? {}, backend)
  return {
    has: (backend) => plugins.some((plugin) => hasBackend(plugin, backend)),
    async open(models, signal) {
      const backends = Object.values(models).map(({ backend }) => backend)
      const used = entries.filter((_, index) => backends.some((backend) => hasBackend(plugins[index], backend)))
      const input = { plugins: used, models, store, limits }
      return createKernel(input, { baseDirectory, logger, signal, services: false, fileSource: await fileSource() })
    },
  }
}
