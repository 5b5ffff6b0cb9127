import { isRecord } from '../config/data.js'
import { failure } from '../errors/index.js'
import type { Config, ConfigInput } from '../config/types.js'
import type { KernelEnvironment } from './environment.js'
import type { Kernel } from './kernel-api.js'

/**
 * Makes a kernel: imports the plugins, checks that everything fits, starts the services, loads the models, and returns
 * when every model is ready.
 * @throws config_invalid, plugin_invalid, model_files, model_invalid, insufficient_memory; nothing is left running.
 */
export const createKernel = async (
  input: ConfigInput | Config,
  environment: KernelEnvironment = {},
): Promise<Kernel> => {
  if (!isRecord(input))
    throw failure('config_invalid', {
      problem: 'createKernel() takes a configuration: an object, or what loadConfig() gives',
    })
  // Plugins import the core in each model's process, too, where no kernel is made: what makes one is loaded here.
  const [{ isConfig, parseConfig }, { loadPlugins }, { RunningKernel }] = await Promise.all([
    import('../config/index.js'),
    import('../plugins/index.js'),
    import('./running-kernel.js'),
  ])
  const { config, plugins } = await loadPlugins(
    isConfig(input) ? input : parseConfig(input, environment.baseDirectory ?? process.cwd()),
  )
  const kernel = new RunningKernel(config, plugins, environment, createKernel)
  // Whoever stops it below hears how that went.
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
