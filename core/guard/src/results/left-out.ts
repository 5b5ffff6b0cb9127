/** Results of which a check blocks a part: that is left out, and the rest is checked anew. */

import { isSallyportError } from '@sallyport/core'
import type { Separable } from '@sallyport/core'

type Item = Readonly<Record<string, unknown>>

/** @throws content_blocked, and whatever else it is */
type Check = (result: unknown) => Promise<unknown>

/**
 * What the check makes of a result without the parts that it blocks.
 * @param onLeftOut told of each by its name
 * @throws content_blocked where nothing is left, or the rest is blocked as a whole; what else the check throws
 */
export const withoutBlocked = async (
  result: unknown,
  separable: Separable,
  check: Check,
  onLeftOut: (name: string) => void,
): Promise<unknown> => {
  try {
    return await check(result)
  } catch (error) {
    if (!isBlocked(error)) throw error
    const whole = result as Item
    const left = await new Separation(separable, check, onLeftOut).of(whole)
    if (!left.length) throw error
    return check({ ...whole, [separable.list]: left })
  }
}

class Separation {
  constructor(
    private readonly separable: Separable,
    private readonly check: Check,
    private readonly onLeftOut: (name: string) => void,
  ) {}

  async of(whole: Item): Promise<readonly Item[]> {
    const left: Item[] = []
    for (const item of itemsOf(whole, this.separable.list)) {
      const passing = (await this.passes(item)) ? item : await this.withPassingParts(item)
      if (passing) left.push(passing)
    }
    return left
  }

  /** Undefined where it does not pass without any of its parts. */
  private async withPassingParts(item: Item): Promise<Item | undefined> {
    const { name, parts } = this.separable
    const left: Item[] = []
    for (const part of itemsOf(item, parts.list)) {
      if (await this.passes({ ...item, [parts.list]: [part] })) left.push(part)
      else this.onLeftOut(`${String(item[name])}: ${String(part[parts.name])}`)
    }
    const rest = { ...item, [parts.list]: left }
    if (await this.passes(rest)) return rest
    this.onLeftOut(String(item[name]))
    return undefined
  }

  private async passes(item: Item): Promise<boolean> {
    try {
      await this.check({ [this.separable.list]: [item] })
      return true
    } catch (error) {
      if (isBlocked(error)) return false
      throw error
    }
  }
}

const itemsOf = (holder: Item, list: string): readonly Item[] => (holder[list] ?? []) as readonly Item[]

const isBlocked = (error: unknown): boolean => isSallyportError(error) && error.code === 'content_blocked'
