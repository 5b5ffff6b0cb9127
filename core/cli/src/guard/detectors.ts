/** The checks of a configuration, without its server. */

import { failure, inspectionsAtOnce, stages } from '@sallyport/core'
import type { CheckKind, Config, InspectOptions, Inspected, Kernel, Stage } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import { loadConfig } from '@sallyport/config'
import type { ConfigOverride } from '@sallyport/config'
import { createKernel, defaultPolicy, loadPlugins } from '@sallyport/kernel'
import { ModelStore } from '@sallyport/store'
import { requireConfigFile } from '../config-file.js'
import { createLogger } from '../logging.js'
import type { TextRow } from './rows.js'

export interface Detector {
  /** The name of the check, or of the operator's entry. */
  readonly name: string
  /** The name of the check. */
  readonly check: string
  readonly kind: CheckKind
  /** Where its entry stands in the policy `default`, or would. */
  readonly stage: Stage
  /** The score from which findings count: that of the policy `default`, or else of `callerPolicy`. */
  readonly threshold: number
  /** The configured model that it asks; undefined where a plugin brings it, or several are asked. */
  readonly model: { readonly id: string; readonly options: Readonly<Record<string, unknown>> } | undefined
  /** Inspects all readings of the text. Only results of comparisons have claims. */
  inspect(request: InspectedText): Promise<Inspected>
}

type InspectedText = Pick<InspectOptions, 'origin' | 'reference'> & { readonly text: string }

/** Ten minutes, for the command line has no other requests that wait. */
const deadlineMs = 600_000

/** Runs the work with the detectors of a configuration. @throws config_invalid, capability_missing where it has none */
export const withDetectors = async <Result>(
  file: string | undefined,
  work: (detectors: readonly Detector[]) => Promise<Result>,
  overrides: readonly ConfigOverride[] = [],
): Promise<Result> => {
  const written = await loadConfig(requireConfigFile(file), { overrides })
  const logger = createLogger({ ...written.log, level: 'warn' })
  const files = ModelStore.fromConfig(written, { logger, progress: true })
  const kernel = await createKernel(written, { logger, fileSource: files, services: false })
  try {
    const { config } = await loadPlugins(written)
    const present = detectorsOf(config, kernel)
    const problem = 'no plugin of the configuration brings a check: add one that does to plugins'
    if (!kernel.checks.size) throw failure('config_invalid', { problem })
    if (!present.length) throw failure('capability_missing', { capability: [...kernel.checks.keys()].join('", "') })
    return await work(present)
  } finally {
    await kernel.stop()
  }
}

const detectorsOf = ({ callerPolicy, policies, models }: Config, kernel: Kernel): Detector[] => {
  const own = policies[defaultPolicy]
  const defaultEntries = { ...own?.output, ...own?.input }
  const entries = { ...callerPolicy.output, ...callerPolicy.input, ...defaultEntries }
  const inOrder = [...kernel.checks.keys(), ...Object.keys(entries).filter((name) => !kernel.checks.has(name))]
  return inOrder.flatMap((name) => {
    const entry = entries[name]
    const declared = entry && kernel.checks.get(entry.check)
    if (!declared || !kernel.capabilities.has(entry.check)) return []
    const { kind } = declared
    const inPolicy = stages.find((each) => Object.hasOwn(own?.[each] ?? {}, name))
    const stage = inPolicy ?? (declared.stages.input === undefined ? 'output' : 'input')
    const policy = Object.hasOwn(defaultEntries, name) ? { policy: defaultPolicy } : {}
    const options = () => ({ ...policy, deadline: Date.now() + deadlineMs, tenant: 'command line' })
    const inspect: Detector['inspect'] = ({ text, ...more }) => kernel.inspect(name, text, { ...options(), ...more })
    const [id = '', ...others] = entry.detectors?.map(({ model }) => model) ?? [modelOf(entry.check, kernel)]
    const asked = others.length ? undefined : models[id]
    const model = asked && { id, options: asked.options as Readonly<Record<string, unknown>> }
    return [{ name, check: entry.check, kind, stage, threshold: entry.threshold, model, inspect }]
  })
}

/** The id of the model that does a check where the policy names none. */
const modelOf = (check: string, kernel: Kernel): string =>
  kernel.models().find(({ capabilities }) => capabilities.includes(check))?.id ?? ''

export const checkOption = { flags: '--check <name>', description: 'which check (default: the only one there is)' }

/** @param name of the option `--check` @throws invalid_request */
export const chooseDetector = (detectors: readonly Detector[], name: string | undefined): Detector => {
  const [detector, ...others] = name === undefined ? detectors : detectors.filter((each) => each.name === name)
  if (detector && !others.length) return detector
  const mistake = name === undefined ? 'is required' : `there is no detector "${name}"`
  const problem = `${mistake}: there are ${detectors.map((each) => each.name).join(', ')}`
  throw failure('invalid_request', { field: '--check', problem })
}

/** Rows with their scores; that of a check of spans is its surest finding's: undefined where there is none. */
export const scoreAll = <Row extends TextRow>(
  detector: Detector,
  rows: readonly Row[],
): Promise<(Row & { readonly score: number | undefined })[]> =>
  mapBounded(rows, inspectionsAtOnce, async (row) => {
    const { text, reference, origin } = row
    const { score, findings } = await detector.inspect({
      text,
      ...(reference === undefined ? {} : { reference }),
      ...(origin === undefined ? {} : { origin }),
    })
    const surest = findings.map((finding) => finding.score).sort((a, b) => b - a)[0]
    return { ...row, score: detector.kind === 'spans' ? surest : score }
  })
