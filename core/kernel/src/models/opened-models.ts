import type { Config, ConfigInput, Kernel, Logger, ModelOpener } from '@sallyport/core'
import type { LoadedPlugin } from '../plugins/load.js'
import type { ModelFiles } from './model-files.js'

/** `createKernel`, which imports what is here. */
export type StartKernel = (input: ConfigInput, surroundings: Surroundings) => Promise<Kernel>

interface Surroundings {
  readonly baseDirectory: string
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly services: false
  readonly files: ModelFiles
}

export interface OpenerParts {
  readonly config: Config
  /** The plugins of the configuration, in its order. */
  readonly plugins: readonly LoadedPlugin[]
  /** The store of the configuration. */
  readonly files: () => Promise<ModelFiles>
  readonly logger: Logger
  readonly start: StartKernel
}

export const modelOpener = ({ config, plugins, files, logger, start }: OpenerParts): ModelOpener => {
  const { plugins: entries, store, limits, baseDirectory } = config
  const brings = (plugin: LoadedPlugin | undefined, backend: string) =>
    Object.hasOwn(plugin?.definition.backends ?? {}, backend)
  return {
    has: (backend) => plugins.some((plugin) => brings(plugin, backend)),
    async open(models, signal) {
      const wanted = Object.values(models).map(({ backend }) => backend)
      const used = entries.filter((_, index) => wanted.some((backend) => brings(plugins[index], backend)))
      const input = { plugins: used, models, store, limits }
      return start(input, { baseDirectory, logger, signal, services: false, files: await files() })
    },
  }
}
