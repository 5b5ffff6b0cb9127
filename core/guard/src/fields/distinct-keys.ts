/** A key of an object, and whether something in it was replaced. */
export interface RewrittenKey {
  readonly key: string
  readonly isNew: boolean
}

/**
 * The keys of one object, none of them twice because of a replacement: a member would be lost. New keys that equal one
 * that stays, or one before them, get the next free number: `<EMAIL_ADDRESS>`, `<EMAIL_ADDRESS> 2`.
 */
export const distinctKeys = (keys: readonly RewrittenKey[]): string[] => {
  const taken = new Set(keys.flatMap(({ key, isNew }) => (isNew ? [] : [key])))
  /** By key, the last number given: thousands may be equal. */
  const numbers = new Map<string, number>()
  return keys.map(({ key, isNew }) => {
    if (!isNew) return key
    let number = numbers.get(key) ?? 1
    let distinct = key
    while (taken.has(distinct)) distinct = `${key} ${++number}`
    numbers.set(key, number)
    taken.add(distinct)
    return distinct
  })
}
