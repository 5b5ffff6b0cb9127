/** The detectors of a configuration, without its server. */

import { failure } from '@sallyport/core'
import type { ComparisonInspection, InspectionRequest, Kernel } from '@sallyport/core'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { loadConfig } from '@sallyport/config'
import { acrossIfOffered, inspectReadings } from '@sallyport/guard'
import type { CheckName, AskAcross } from '@sallyport/guard'
import { createKernel, defaultPolicy } from '@sallyport/kernel'
import { ModelStore } from '@sallyport/store'
import { requireConfigFile } from '../config-file.js'
import { createLogger } from '../logging.js'

const capabilities = { injection, pii, toxicity, factuality } as const

export const checkNames = Object.keys(capabilities) as CheckName[]

export interface Detector {
  readonly name: CheckName
  /** From which on a score counts: of the policy `default`, or else of what callers ask for. */
  readonly threshold: number
  /** Of all readings of the text. Only factuality has claims. */
  inspect(request: InspectionRequest): Promise<ComparisonInspection>
}

/** Milliseconds: nobody waits for an answer to somebody else. */
const deadline = 600_000

const options = () => ({ deadline: Date.now() + deadline, tenant: 'command line' })

const acrossOf = (kernel: Kernel): AskAcross => ({
  ignore: [],
  inspect: (request) => acrossIfOffered(() => kernel.get(pii).inspectAcross(request, options())),
})

/**
 * Loads what a configuration has, and stops it when the work is done.
 * @throws capability_missing where it has no detector
 */
export const withDetectors = async (
  file: string | undefined,
  work: (detectors: readonly Detector[]) => Promise<void>,
): Promise<void> => {
  const config = await loadConfig(requireConfigFile(file), {})
  const logger = createLogger({ ...config.log, level: 'warn' })
  const files = ModelStore.fromConfig(config, { logger, progress: true })
  const kernel = await createKernel(config, { logger, files, services: false })
  try {
    const { callerPolicy, policies } = config
    const { input, output } = policies[defaultPolicy] ?? callerPolicy
    const thresholds = { ...callerPolicy.output, ...callerPolicy.input, ...output, ...input }
    const present = checkNames.filter((name) => kernel.capabilities.has(name))
    if (!present.length) throw failure('capability_missing', { capability: checkNames.join('", "') })
    await work(
      present.map((name) => ({
        name,
        threshold: thresholds[name].threshold,
        inspect: (request) =>
          inspectReadings(
            name,
            request.text,
            (text) => kernel.get(capabilities[name]).inspect({ ...request, text }, options()),
            undefined,
            name === 'pii' ? acrossOf(kernel) : undefined,
          ),
      })),
    )
  } finally {
    await kernel.stop()
  }
}
