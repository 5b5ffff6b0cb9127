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
  { list, name, parts }: Separable,
  check: Check,
  onLeftOut: (name: string) => void,
): Promise<unknown> => {
  const passes = (item: Item) => check({ [list]: [item] }).then(() => true, refuseOthers)
  /** Undefined where an item does not pass without any of its parts. */
  const withPassingParts = async (item: Item): Promise<Item | undefined> => {
    const left: Item[] = []
    for (const part of itemsOf(item, parts.list)) {
      if (await passes({ ...item, [parts.list]: [part] })) left.push(part)
      else onLeftOut(`${String(item[name])}: ${String(part[parts.name])}`)
    }
    const rest = { ...item, [parts.list]: left }
    if (await passes(rest)) return rest
    onLeftOut(String(item[name]))
    return undefined
  }
  try {
    return await check(result)
  } catch (error) {
    refuseOthers(error)
    const left: Item[] = []
    for (const item of itemsOf(result as Item, list)) {
      const passing = (await passes(item)) ? item : await withPassingParts(item)
      if (passing) left.push(passing)
    }
    if (!left.length) throw error
    return check({ ...(result as Item), [list]: left })
  }
}

const itemsOf = (holder: Item, list: string): readonly Item[] => (holder[list] ?? []) as readonly Item[]

/** @throws what is no block */
const refuseOthers = (error: unknown): false => {
  if (isSallyportError(error) && error.code === 'content_blocked') return false
  throw error
}
