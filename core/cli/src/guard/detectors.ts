/** The checks of a configuration, without its server. */

import { failure } from '@sallyport/core'
import type { CheckKind, Config, Inspected, Kernel } from '@sallyport/core'
import { loadConfig } from '@sallyport/config'
import { createKernel, defaultPolicy, loadPlugins } from '@sallyport/kernel'
import { ModelStore } from '@sallyport/store'
import { requireConfigFile } from '../config-file.js'
import { createLogger } from '../logging.js'

export interface Detector {
  /** The check's own, or the one that the operator's entry has. */
  readonly name: string
  readonly kind: CheckKind
  /** Scores count from here on: as the policy `default` says, or else as it is for callers. */
  readonly threshold: number
  /** Looks at all readings of the text. Only comparisons have claims. */
  inspect(request: { readonly text: string; readonly reference?: string }): Promise<Inspected>
}

/** Milliseconds: nobody waits for an answer to somebody else. */
const deadline = 600_000

/**
 * Loads what a configuration has, and stops it when the work is done.
 * @throws capability_missing where it has no detector
 */
export const withDetectors = async (
  file: string | undefined,
  work: (detectors: readonly Detector[]) => Promise<void>,
): Promise<void> => {
  const written = await loadConfig(requireConfigFile(file), {})
  const logger = createLogger({ ...written.log, level: 'warn' })
  const files = ModelStore.fromConfig(written, { logger, progress: true })
  const kernel = await createKernel(written, { logger, files, services: false })
  try {
    const { config } = await loadPlugins(written)
    const present = detectorsOf(config, kernel)
    if (!present.length) throw failure('capability_missing', { capability: [...kernel.checks.keys()].join('", "') })
    await work(present)
  } finally {
    await kernel.stop()
  }
}

const detectorsOf = ({ callerPolicy, policies }: Config, kernel: Kernel): Detector[] => {
  const own = policies[defaultPolicy]
  const ofDefault = { ...own?.output, ...own?.input }
  const entries = { ...callerPolicy.output, ...callerPolicy.input, ...ofDefault }
  const inOrder = [...kernel.checks.keys(), ...Object.keys(entries).filter((name) => !kernel.checks.has(name))]
  return inOrder.flatMap((name) => {
    const entry = entries[name]
    const kind = entry && kernel.checks.get(entry.check)?.kind
    if (!kind || !kernel.capabilities.has(entry.check)) return []
    const policy = Object.hasOwn(ofDefault, name) ? { policy: defaultPolicy } : {}
    const options = () => ({ ...policy, deadline: Date.now() + deadline, tenant: 'command line' })
    return [
      {
        ...{ name, kind, threshold: entry.threshold },
        inspect: ({ text, ...more }) => kernel.inspect(name, text, { ...options(), ...more }),
      },
    ]
  })
}
