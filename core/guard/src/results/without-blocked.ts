/** Leaves out the parts of a result that a check blocks, and checks the rest again. */

import { isSallyportError } from '@sallyport/core'
import type { Separable } from '@sallyport/core'

type Item = Readonly<Record<string, unknown>>

/** Resolves with the checked result. @throws content_blocked, and other errors */
type CheckResult = (result: unknown) => Promise<unknown>

/**
 * The checked result without the parts that the check blocks.
 * @param onBlockedPart called with the name of each blocked part
 * @throws content_blocked where nothing remains, or the rest is blocked as a whole; other errors of the check
 */
export const withoutBlocked = async (
  result: unknown,
  { list, name, parts }: Separable,
  check: CheckResult,
  onBlockedPart: (name: string) => void,
): Promise<unknown> => {
  const passes = (item: Item) => check({ [list]: [item] }).then(() => true, rethrowUnlessBlocked)
  /** The item with those parts that pass; undefined where it is blocked even without the others. */
  const withPassingParts = async (item: Item): Promise<Item | undefined> => {
    const keptParts: Item[] = []
    for (const part of itemsOf(item, parts.list)) {
      if (await passes({ ...item, [parts.list]: [part] })) keptParts.push(part)
      else onBlockedPart(`${String(item[name])}: ${String(part[parts.name])}`)
    }
    const rest = { ...item, [parts.list]: keptParts }
    if (await passes(rest)) return rest
    onBlockedPart(String(item[name]))
    return undefined
  }
  try {
    return await check(result)
  } catch (error) {
    rethrowUnlessBlocked(error)
    const kept: Item[] = []
    for (const item of itemsOf(result as Item, list)) {
      const passing = (await passes(item)) ? item : await withPassingParts(item)
      if (passing) kept.push(passing)
    }
    if (!kept.length) throw error
    return check({ ...(result as Item), [list]: kept })
  }
}

const itemsOf = (holder: Item, list: string): readonly Item[] => (holder[list] ?? []) as readonly Item[]

/** Returns false if the check blocked. @throws any other error */
const rethrowUnlessBlocked = (error: unknown): false => {
  if (isSallyportError(error) && error.code === 'content_blocked') return false
  throw error
}
