/** Constructs, starts and stops the services of all plugins. */

import * as token from '@sallyport/core'
import type { Config, Kernel, Logger, MetricsText, Service } from '@sallyport/core'
import { untilAborted } from '@sallyport/kit/async'
import { stateDirectory } from '@sallyport/kit/installation'
import { bind, construct, pluginLabel } from './container.js'
import type { Binding } from './container.js'
import type { LoadedPlugin } from './load.js'
import { locatePluginError } from './error-location.js'

interface BindingContext {
  readonly kernel: Kernel
  readonly config: Config
  readonly logger: Logger
  readonly announce: ((lines: string) => void) | undefined
  readonly provideMetrics: (text: MetricsText) => void
}

/** The values that may be injected into the services and own models of a plugin. */
export const bindingsOf = (
  plugin: LoadedPlugin,
  { kernel, config, logger, announce = () => undefined, provideMetrics }: BindingContext,
): Binding[] => [
  bind(token.options, plugin.options),
  bind(token.logger, logger.child({ plugin: plugin.definition.name })),
  bind(token.kernel, kernel),
  bind(token.home, stateDirectory()),
  bind(token.baseDirectory, config.baseDirectory),
  bind(token.announce, announce),
  bind(token.provideMetrics, provideMetrics),
]

/** @throws plugin_invalid; errors of a constructor, with the location of the plugin's options */
export const constructServices = (
  plugins: readonly LoadedPlugin[],
  bindings: (plugin: LoadedPlugin) => readonly Binding[],
  config: Config,
): Service[] =>
  plugins.flatMap((plugin, index) => {
    const { section, services = [] } = plugin.definition
    try {
      return services.map((type) => construct(type, pluginLabel(plugin), bindings(plugin)))
    } catch (error) {
      throw locatePluginError(error, section === undefined ? ['plugins', index, 'options'] : [section], config)
    }
  })

export class PluginServices {
  constructor(
    private readonly services: readonly Service[],
    private readonly logger: Logger,
  ) {}

  start(signal: AbortSignal): Promise<void>[] {
    return this.services.map((service) => this.startOne(service, signal))
  }

  async ready(signal: AbortSignal): Promise<void> {
    const hooks = this.services.map(async (service) => service.ready?.())
    await untilAborted(Promise.all(hooks), signal)
  }

  drain(signal: AbortSignal): Promise<PromiseSettledResult<void>[]> {
    return Promise.allSettled(this.services.map(async (service) => service.drain?.(signal)))
  }

  stop(): Promise<PromiseSettledResult<void>[]> {
    return Promise.allSettled(this.services.map(async (service) => service.stop?.()))
  }

  private async startOne(service: Service, signal: AbortSignal): Promise<void> {
    const starting = (async () => service.start?.(signal))()
    try {
      await untilAborted(starting, signal)
    } catch (error) {
      if (signal.aborted)
        starting.then(
          () => this.stopLate(service),
          () => undefined,
        )
      throw error
    }
  }

  /** Stops a service whose start ignored the abort, since it may still have opened something. */
  private async stopLate(service: Service): Promise<void> {
    try {
      await service.stop?.()
    } catch (error) {
      this.logger.warn({ error }, 'stop() failed for a service whose start had been aborted')
    }
  }
}

/** Throws the first error, if any, of tasks that have all settled. */
export const throwFirst = (results: readonly PromiseSettledResult<void>[]): void => {
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
