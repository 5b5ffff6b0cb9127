import type { Capability } from '../capabilities/capability.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { suites } from './suites.js'

/** What the cases run on. */
export interface ConformanceSetup<Service extends object> {
  /** Makes what is tested, once for all cases. */
  create(): Promise<Service | Made<Service>>
  readonly facts?: ModelFacts
  /** Names of cases that do not hold, each with the reason, which the report shows. */
  readonly skip?: Readonly<Record<string, string>>
  /** Milliseconds that one case, and `create`, may take. Default: 60,000. */
  readonly timeout?: number
}

export interface Made<Service> {
  readonly service: Service
  dispose(): Promise<void>
}

/** What every implementation of the capability must do. @throws where the capability has no suite */
export const conformanceCases = <Service extends object>({
  name,
}: Capability<Service>): readonly ConformanceCase<Service>[] => {
  const cases = suites.get(name)
  if (!cases) throw new Error(`there is no conformance suite for the capability "${name}"`)
  return cases as readonly ConformanceCase<Service>[]
}

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

  const { describe, it, before, after } = framework()
  describe(`conformance: ${capability.name}`, () => {
    let made: Service | Made<Service> | undefined
    before(
      timed(timeout, async () => void (made = await setup.create())),
      timeout,
    )
    after(
      timed(timeout, async () => {
        if (made && hasDispose(made)) await made.dispose()
      }),
      timeout,
    )
    for (const one of cases) {
      const reason = skip[one.name] ?? one.inapplicable?.(facts)
      if (reason !== undefined) it.skip(`${one.name} (skipped: ${reason})`, () => undefined)
      else
        it(
          one.name,
          timed(timeout, () => one.run(serviceOf(made), facts)),
          timeout,
        )
    }
  })
}

const hasDispose = <Service extends object>(made: Service | Made<Service>): made is Made<Service> =>
  'service' in made && 'dispose' in made

const serviceOf = <Service extends object>(made: Service | Made<Service> | undefined): Service => {
  if (!made) throw new Error('create() returned nothing')
  return hasDispose(made) ? made.service : made
}

type Body = () => Promise<void> | void
type Register = (body: Body, timeout: number) => void
type Test = (name: string, body: Body, timeout?: number) => void

interface Framework {
  describe(name: string, body: () => void): void
  it: Test & { skip: Test }
  before: Register
  after: Register
}

/** mocha says `before`, vitest and jest say `beforeAll`. */
const framework = (): Framework => {
  const { describe, it, before, beforeAll, after, afterAll } = globalThis as Partial<
    Framework & { beforeAll: Register; afterAll: Register }
  >
  const [first, last] = [before ?? beforeAll, after ?? afterAll]
  if (!describe || !it || !first || !last)
    throw new Error('no describe, it, before and after found: run this with mocha, jest, or vitest with globals')
  return { describe, it, before: first, after: last }
}

/** mocha takes the time limit from its context, the others from an argument. */
const timed = (milliseconds: number, body: () => Promise<void>) =>
  function (this: { timeout?(milliseconds: number): unknown } | undefined | void) {
    this?.timeout?.(milliseconds)
    return body()
  }
