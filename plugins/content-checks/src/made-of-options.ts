/** What is made of the options of a check, and kept. */

import { RecentlyUsed } from '@sallyport/kit/lists'

/**
 * Options of a policy are one object, whose values all tenants share. Those of callers are another object each time:
 * every tenant has its own, for how fast an answer comes would tell what others have asked for.
 */
export class MadeOfOptions<Made> {
  private readonly byObject = new WeakMap<object, Made>()
  private readonly byContent: RecentlyUsed<Made>

  /** @param most weight of what is kept by its content, by default UTF-16 units of JSON */
  constructor(most: number, weigh = (_: Made, key: string) => key.length) {
    this.byContent = new RecentlyUsed(most, weigh)
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
