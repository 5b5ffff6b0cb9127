/** The services of the plugins: made, started and stopped together. */

import * as token from '@sallyport/core'
import type { Config, Kernel, Logger, Service } from '@sallyport/core'
import { untilAborted } from '@sallyport/kit/async'
import { stateDirectory } from '@sallyport/kit/installation'
import { bind, construct, pluginLabel } from './container.js'
import type { Binding } from './container.js'
import type { LoadedPlugin } from './load.js'
import { placedPluginError } from './placed-error.js'

interface Surroundings {
  readonly kernel: Kernel
  readonly config: Config
  readonly logger: Logger
  readonly announce: ((lines: string) => void) | undefined
}

/** What the services and own models of a plugin may have injected. */
export const bindingsOf = (
  plugin: LoadedPlugin,
  { kernel, config, logger, announce = () => undefined }: Surroundings,
): Binding[] => [
  bind(token.options, plugin.options),
  bind(token.logger, logger.child({ plugin: plugin.definition.name })),
  bind(token.kernel, kernel),
  bind(token.home, stateDirectory()),
  bind(token.baseDirectory, config.baseDirectory),
  bind(token.announce, announce),
]

/** @throws plugin_invalid, and what a constructor throws, with the place of the plugin's options */
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
      throw placedPluginError(error, section === undefined ? ['plugins', index, 'options'] : [section], config)
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

  /** A start that has not noticed that it was given up holds what it has opened from then on. */
  private async stopLate(service: Service): Promise<void> {
    try {
      await service.stop?.()
    } catch (err) {
      this.logger.warn({ err }, 'a service that was given up did not stop in order')
    }
  }
}

/** Throws what the first of them failed with: one part that fails to end must not keep the others from it. */
export const throwFirst = (results: readonly PromiseSettledResult<void>[]): void => {
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
