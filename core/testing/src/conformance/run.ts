import { loggedCause, isCheck } from '@sallyport/core'
import type { Capability, Check } from '@sallyport/core'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { detectorCases, spanDetectorCases } from './detectors.js'
import { framework } from './framework.js'
import { suites } from './suites.js'

/** The implementation under test, and how it is tested. */
export interface ConformanceSetup<Service extends object> {
  /** Makes the service, once for all cases. */
  readonly create: () => Promise<Service | DisposableService<Service>>
  readonly facts?: ModelFacts
  /** Why cases are skipped, by their names; the report shows it. */
  readonly skip?: Readonly<Record<string, string>>
  /** Milliseconds that one case, and `create`, may take. Default: 60,000. */
  readonly timeout?: number
}

export interface DisposableService<Service> {
  readonly service: Service
  readonly dispose: () => Promise<void>
}

/**
 * The cases for every implementation of the capability; for a check without a suite of its own, those for all
 * detectors.
 * @throws Error for a capability without a suite
 */
export const conformanceCases = <Service extends object>(
  capability: Capability<Service>,
): readonly ConformanceCase<Service>[] => {
  const cases = suites.get(capability.name) ?? (isCheck(capability) ? casesOfCheck(capability.check) : undefined)
  if (!cases) throw new Error(`there is no conformance suite for the capability "${capability.name}": ${instead}`)
  return cases
}

const casesOfCheck = ({ kind, threshold }: Check['check']): readonly ConformanceCase[] =>
  kind === 'spans' ? spanDetectorCases(undefined, threshold) : detectorCases(undefined, threshold)

const instead =
  'capabilities of the core and checks have one. Write cases of your own that call the service of kernel.get(), of a ' +
  'kernel with your plugin (an example is examples/headline.test.ts)'

/**
 * Registers the cases of a capability with the `describe` and `it` of the test framework (mocha, vitest, jest).
 *
 * @example runConformance(chat, { create: async () => new MyChat({ file }), facts: { contextLength: 4096 } })
 */
export const runConformance = <Service extends object>(
  capability: Capability<Service>,
  setup: ConformanceSetup<NoInfer<Service>>,
): void => {
  const { facts = {}, skip = {}, timeout = 60_000 } = setup
  const cases = conformanceCases(capability)
  const unknown = Object.keys(skip).find((name) => !cases.some((one) => one.name === name))
  if (unknown !== undefined) throw new Error(`there is no case "${unknown}" to skip in the suite "${capability.name}"`)

  const { describe, it, before, after } = framework(timeout)
  describe(`conformance: ${capability.name}`, () => {
    let value: Service | DisposableService<Service> | undefined
    before(async () => void (value = await setup.create()))
    after(async () => {
      if (value && hasDispose(value)) await value.dispose()
    })
    for (const one of cases) {
      const reason = skip[one.name] ?? one.skipReason?.(facts)
      if (reason === undefined) it(one.name, () => one.run(serviceOf(value), facts).catch(throwLoggedCause))
      else it.skip(`${one.name} (skipped: ${reason})`, () => Promise.resolve())
    }
  })
}

/** The message of such an error refers to the log, which a test does not show: its cause says what went wrong. */
const throwLoggedCause = (error: unknown): never => {
  throw loggedCause(error) ?? error
}

const hasDispose = <Service extends object>(
  value: Service | DisposableService<Service>,
): value is DisposableService<Service> => 'service' in value && 'dispose' in value

const serviceOf = <Service extends object>(value: Service | DisposableService<Service> | undefined): Service => {
  if (!value) throw new Error('create() returned nothing')
  return hasDispose(value) ? value.service : value
}
