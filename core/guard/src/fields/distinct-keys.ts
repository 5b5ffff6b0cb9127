/** A key of an object, and whether something in it was replaced. */
export interface ObjectKey {
  readonly key: string
  readonly isReplaced: boolean
}

/**
 * Makes the keys of one object distinct, so that no member is lost by a replacement. A replaced key that equals an
 * earlier or unchanged one gets the next free number: `<EMAIL_ADDRESS>`, `<EMAIL_ADDRESS> 2`.
 */
export const distinctKeys = (keys: readonly ObjectKey[]): string[] => {
  const taken = new Set(keys.flatMap(({ key, isReplaced }) => (isReplaced ? [] : [key])))
  /** The last number used for each key, since thousands of keys may be equal. */
  const numbers = new Map<string, number>()
  return keys.map(({ key, isReplaced }) => {
    if (!isReplaced) return key
    let number = numbers.get(key) ?? 1
    let distinct = key
    while (taken.has(distinct)) distinct = `${key} ${++number}`
    numbers.set(key, number)
    taken.add(distinct)
    return distinct
  })
}
