import type { ModelFacts } from './facts.js'

/** A requirement for every implementation of a capability. */
export interface ConformanceCase<Service extends object = object> {
  /** Unique within the capability; the key of {@link ConformanceSetup.skip}. */
  readonly name: string
  /** Returns why the case does not apply to a model with these facts; undefined if it applies. */
  readonly skipReason?: (facts: ModelFacts) => string | undefined
  /** Rejects with an error that says what is wrong. */
  run(service: Service, facts: ModelFacts): Promise<void>
}

/**
 * Makes cases from functions, whose keys are the names of the cases.
 * @param skipReason returns why none of them applies to a model with these facts
 */
export const cases = <Service extends object>(
  runs: Readonly<Record<string, (service: Service, facts: ModelFacts) => Promise<unknown>>>,
  skipReason?: ConformanceCase['skipReason'],
): ConformanceCase<Service>[] =>
  Object.entries(runs).map(([name, run]) => ({
    name,
    ...(skipReason && { skipReason }),
    run: async (service, facts) => {
      await run(service, facts)
    },
  }))

/** The {@link ConformanceCase.skipReason} of cases that need a fact. */
export const needs =
  (name: keyof ModelFacts) =>
  (facts: ModelFacts): string | undefined =>
    facts[name] === undefined ? `needs the fact ${name}` : undefined
