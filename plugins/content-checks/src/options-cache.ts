import { RecentlyUsed } from '@sallyport/kit/lists'

/**
 * Keeps what detectors compile from the options of a check. A policy passes the same object each time, and all tenants
 * share what is made of it. Callers pass a new object each time: their options are compared by content and kept for each
 * tenant apart, as the time of an answer would otherwise tell what other tenants have asked for.
 */
export class OptionsCache<Made> {
  private readonly byObject = new WeakMap<object, Made>()
  private readonly byContent: RecentlyUsed<Made>

  /** @param maxWeight total weight of the values that are kept by content; the default weight is the length of the options as JSON */
  constructor(maxWeight: number, weigh = (_: Made, key: string) => key.length) {
    this.byContent = new RecentlyUsed(maxWeight, weigh)
  }

  get(options: object, tenant: string): Made | undefined {
    const made = this.byObject.get(options) ?? this.byContent.get(keyOf(options, tenant))
    if (made !== undefined) this.byObject.set(options, made)
    return made
  }

  set(options: object, tenant: string, made: Made): Made {
    this.byObject.set(options, made)
    this.byContent.set(keyOf(options, tenant), made)
    return made
  }
}

const keyOf = (options: object, tenant: string): string => JSON.stringify([tenant, options])
