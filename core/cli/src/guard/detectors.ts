/** The checks of a configuration, without its server. */

import { failure } from '@sallyport/core'
import type { CheckKind, Config, Inspected, Kernel } from '@sallyport/core'
import { loadConfig } from '@sallyport/config'
import { createKernel, defaultPolicy, loadPlugins } from '@sallyport/kernel'
import { ModelStore } from '@sallyport/store'
import { requireConfigFile } from '../config-file.js'
import { createLogger } from '../logging.js'

export interface Detector {
  /** The name of the check, or of the operator's entry. */
  readonly name: string
  readonly kind: CheckKind
  /** The score from which findings count: that of the policy `default`, or else of `callerPolicy`. */
  readonly threshold: number
  /** Inspects all readings of the text. Only results of comparisons have claims. */
  inspect(request: { readonly text: string; readonly reference?: string }): Promise<Inspected>
}

/** Ten minutes, for the command line has no other requests that wait. */
const deadlineMs = 600_000

/** Runs the work with the detectors of a configuration. @throws config_invalid, capability_missing where it has none */
export const withDetectors = async (
  file: string | undefined,
  work: (detectors: readonly Detector[]) => Promise<void>,
): Promise<void> => {
  const written = await loadConfig(requireConfigFile(file), {})
  const logger = createLogger({ ...written.log, level: 'warn' })
  const files = ModelStore.fromConfig(written, { logger, progress: true })
  const kernel = await createKernel(written, { logger, fileSource: files, services: false })
  try {
    const { config } = await loadPlugins(written)
    const present = detectorsOf(config, kernel)
    const problem = 'no plugin of the configuration brings a check: add one that does to plugins'
    if (!kernel.checks.size) throw failure('config_invalid', { problem })
    if (!present.length) throw failure('capability_missing', { capability: [...kernel.checks.keys()].join('", "') })
    await work(present)
  } finally {
    await kernel.stop()
  }
}

const detectorsOf = ({ callerPolicy, policies }: Config, kernel: Kernel): Detector[] => {
  const own = policies[defaultPolicy]
  const defaultEntries = { ...own?.output, ...own?.input }
  const entries = { ...callerPolicy.output, ...callerPolicy.input, ...defaultEntries }
  const inOrder = [...kernel.checks.keys(), ...Object.keys(entries).filter((name) => !kernel.checks.has(name))]
  return inOrder.flatMap((name) => {
    const entry = entries[name]
    const kind = entry && kernel.checks.get(entry.check)?.kind
    if (!kind || !kernel.capabilities.has(entry.check)) return []
    const policy = Object.hasOwn(defaultEntries, name) ? { policy: defaultPolicy } : {}
    const options = () => ({ ...policy, deadline: Date.now() + deadlineMs, tenant: 'command line' })
    const inspect: Detector['inspect'] = ({ text, ...more }) => kernel.inspect(name, text, { ...options(), ...more })
    return [{ name, kind, threshold: entry.threshold, inspect }]
  })
}
