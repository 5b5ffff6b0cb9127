import type { ConfigInput } from '../config.js'
import type { Kernel } from '../kernel.js'

/** Loads models beside those of the configuration, for backends that do so when something is first asked for. */
export interface ModelOpener {
  /** Whether a plugin of the configuration brings a backend. */
  has(backend: string): boolean
  /**
   * Fetches and loads models of the same plugins, from the same store, in a kernel of their own: nobody else reaches
   * them, and no policy guards them. Whoever opens them stops it. What they need of the memory is compared with all of
   * it: what the configured models take is not counted.
   * @param signal gives the start up
   * @throws what `createKernel` throws
   */
  open(models: NonNullable<ConfigInput['models']>, signal: AbortSignal): Promise<Kernel>
}
