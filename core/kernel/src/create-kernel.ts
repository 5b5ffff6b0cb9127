import { isRecord } from '@sallyport/kit/json'
import { failure } from '@sallyport/core'
import type { Config, ConfigInput, Kernel } from '@sallyport/core'
import { isConfig, parseConfig } from '@sallyport/config'
import type { KernelEnvironment } from './environment.js'
import { loadPlugins } from './plugins/load.js'
import { PluginKernel } from './plugin-kernel.js'

/**
 * Makes a kernel: imports the plugins, checks them and the configuration, starts the services, and loads the models.
 * Resolves when all models are loaded. If it rejects, what was started has been stopped.
 * @throws config_invalid, plugin_invalid, model_files, model_invalid, model_unavailable, insufficient_memory,
 * insufficient_storage; errors of services and backends; not_ready or the signal's reason when it is aborted
 */
export const createKernel = async (
  input: ConfigInput | Config,
  environment: KernelEnvironment = {},
): Promise<Kernel> => {
  if (!isRecord(input))
    throw failure('config_invalid', {
      problem: 'createKernel() takes a configuration: an object, or the result of loadConfig()',
    })
  const { config, plugins } = await loadPlugins(
    isConfig(input) ? input : parseConfig(input, environment.baseDirectory ?? process.cwd()),
  )
  const kernel = new PluginKernel(config, plugins, environment, createKernel)
  // If stopping fails, the second call of stop(), below, throws the same error.
  const giveUp = () => void kernel.stop().catch(() => undefined)
  environment.signal?.addEventListener('abort', giveUp)
  try {
    environment.signal?.throwIfAborted()
    await kernel.start()
    return kernel
  } catch (error) {
    await kernel.stop()
    throw error
  } finally {
    environment.signal?.removeEventListener('abort', giveUp)
  }
}
