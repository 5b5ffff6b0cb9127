import { LruCache } from '@sallyport/kit/lists'

/**
 * Keeps the compiled options of a check. A policy passes the same object each time, so all tenants share what is
 * compiled. Callers pass new objects: their options are compared by content and kept for each tenant separately, as the
 * time of an answer would otherwise show what other tenants have asked for.
 */
export class OptionsCache<Compiled> {
  private readonly byObject = new WeakMap<object, Compiled>()
  private readonly byContent: LruCache<Compiled>

  /** @param maxWeight of all values that are kept by content; the default weight is the length of the options as JSON */
  constructor(maxWeight: number, weigh = (_: Compiled, key: string) => key.length) {
    this.byContent = new LruCache(maxWeight, weigh)
  }

  get(options: object, tenant: string): Compiled | undefined {
    const compiled = this.byObject.get(options) ?? this.byContent.get(keyOf(options, tenant))
    if (compiled !== undefined) this.byObject.set(options, compiled)
    return compiled
  }

  set(options: object, tenant: string, compiled: Compiled): Compiled {
    this.byObject.set(options, compiled)
    this.byContent.set(keyOf(options, tenant), compiled)
    return compiled
  }
}

const keyOf = (options: object, tenant: string): string => JSON.stringify([tenant, options])
