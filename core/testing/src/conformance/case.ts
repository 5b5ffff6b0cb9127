import type { ModelFacts } from './facts.js'

/** One thing that every implementation of a capability must do. */
export interface ConformanceCase<Service extends object = object> {
  /** Unique within the capability; the key of {@link ConformanceSetup.skip}. */
  readonly name: string
  /** Why the case says nothing about a model with these facts; undefined where it applies. */
  readonly inapplicable?: (facts: ModelFacts) => string | undefined
  /** Rejects with what is wrong. */
  run(service: Service, facts: ModelFacts): Promise<void>
}

/**
 * Cases by their names.
 * @param inapplicable for models about which none of them says anything
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

/** An assertion that needs something of the model which it was not told. */
export const needs =
  (what: string, given: (facts: ModelFacts) => unknown) =>
  (facts: ModelFacts): string | undefined =>
    given(facts) === undefined ? `needs the fact ${what}` : undefined
