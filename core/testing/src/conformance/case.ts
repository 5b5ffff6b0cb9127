import type { ModelFacts } from './facts.js'

/** A requirement for every implementation of a capability. */
export interface ConformanceCase<Service extends object = object> {
  /** Unique within the capability; the key of {@link ConformanceSetup.skip}. */
  readonly name: string
  /** Why the case says nothing about a model with these facts; undefined where it applies. */
  readonly inapplicable?: (facts: ModelFacts) => string | undefined
  /** Rejects with what is wrong. */
  run(service: Service, facts: ModelFacts): Promise<void>
}

/**
 * Makes cases of functions by the cases' names.
 * @param inapplicable why none of them applies to a model with these facts
 */
export const cases = <Service extends object>(
  runs: Readonly<Record<string, (service: Service, facts: ModelFacts) => Promise<unknown>>>,
  inapplicable?: ConformanceCase['inapplicable'],
): ConformanceCase<Service>[] =>
  Object.entries(runs).map(([name, run]) => ({
    name,
    ...(inapplicable && { inapplicable }),
    run: async (service, facts) => {
      await run(service, facts)
    },
  }))

/** Makes cases inapplicable to models without a certain fact. */
export const needs =
  (name: string, fact: (facts: ModelFacts) => unknown) =>
  (facts: ModelFacts): string | undefined =>
    fact(facts) === undefined ? `needs the fact ${name}` : undefined
