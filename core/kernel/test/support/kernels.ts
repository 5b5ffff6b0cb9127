/** Kernels that end with their test, and plugins that are made of a few functions. */

import { definePlugin, injectable } from '@sallyport/core'
import type { BackendDefinition, Capability, ChatChunk, ConfigInput, Kernel, ModelBackend } from '@sallyport/core'
import type { PluginModel, PluginDefinition } from '@sallyport/core'
import { createKernel } from '../../src/create-kernel.js'
import type { KernelEnvironment } from '../../src/environment.js'

/** Starts kernels; those of a test are stopped when it ends. */
export const useKernels = (): ((config: ConfigInput, environment?: KernelEnvironment) => Promise<Kernel>) => {
  const running: Kernel[] = []
  afterEach(() => Promise.all(running.splice(0).map((kernel) => kernel.stop())))
  return async (config, environment) => {
    const kernel = await createKernel(config, environment)
    running.push(kernel)
    return kernel
  }
}

/** A class whose objects have these methods. */
export const classOf = <Service extends object>(methods: Service): new () => Service => {
  @injectable()
  class Methods {
    readonly self = Object.assign(this, methods)
  }
  return Methods as unknown as new () => Service
}

/** A plugin with one model of its own name, of these methods. */
export const withModel = <Service extends object>(
  name: string,
  capability: Capability<Service>,
  methods: NoInfer<Service>,
  more: Partial<PluginModel> = {},
): PluginDefinition => definePlugin({ name, models: { [name]: { ...more, capability, class: classOf(methods) } } })

/** A plugin with one backend of its own name. */
export const withBackend = (
  name: string,
  capabilities: readonly Capability[],
  backend: ModelBackend,
  more: Partial<BackendDefinition> = {},
): PluginDefinition =>
  definePlugin({
    name,
    backends: { [name]: { description: 'd', capabilities, files: 'none', ...more, class: classOf(backend) } },
  })

/** A stream of these chunks. */
export async function* says(...chunks: readonly ChatChunk[]): AsyncGenerator<ChatChunk> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}
