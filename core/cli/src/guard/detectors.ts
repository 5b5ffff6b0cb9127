/** The checks of a configuration, without its server. */

import { failure } from '@sallyport/core'
import type { CheckKind, Config, Inspected, Kernel } from '@sallyport/core'
import { checksOf, loadConfig } from '@sallyport/config'
import { createKernel, defaultPolicy, loadPlugins } from '@sallyport/kernel'
import { ModelStore } from '@sallyport/store'
import { requireConfigFile } from '../config-file.js'
import { createLogger } from '../logging.js'

export interface Detector {
  /** Of the check, or of the operator's entry. */
  readonly name: string
  readonly kind: CheckKind
  /** From which on a score counts: of the policy `default`, or else of what callers ask for. */
  readonly threshold: number
  /** Of all readings of the text. Only comparisons have claims. */
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
    const { config, plugins } = await loadPlugins(written)
    const kinds = new Map(
      Array.from(checksOf(plugins.map(({ definition }) => definition)), ([name, { check }]) => [
        name,
        check.check.kind,
      ]),
    )
    const present = detectorsOf(config, kernel, kinds)
    if (!present.length) throw failure('capability_missing', { capability: [...kinds.keys()].join('", "') })
    await work(present)
  } finally {
    await kernel.stop()
  }
}

const detectorsOf = (config: Config, kernel: Kernel, kinds: ReadonlyMap<string, CheckKind>): Detector[] => {
  const { callerPolicy, policies } = config
  const { input, output } = policies[defaultPolicy] ?? callerPolicy
  const entries = { ...callerPolicy.output, ...callerPolicy.input, ...output, ...input }
  const inOrder = [...kernel.checks.keys(), ...Object.keys(entries).filter((name) => !kernel.checks.has(name))]
  return inOrder.flatMap((name) => {
    const entry = entries[name]
    const kind = entry && kinds.get(entry.check)
    if (!kind || !kernel.capabilities.has(entry.check)) return []
    const options = () => ({ deadline: Date.now() + deadline, tenant: 'command line' })
    return [
      {
        ...{ name, kind, threshold: entry.threshold },
        inspect: ({ text, ...more }) => kernel.inspect(name, text, { ...options(), ...more }),
      },
    ]
  })
}
