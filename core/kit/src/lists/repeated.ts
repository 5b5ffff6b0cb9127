/** The first item whose key an earlier one has. */
export const firstRepeated = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown = (item) => item,
): Item | undefined => {
  const seen = new Set<unknown>()
  return items.find((item) => seen.size === seen.add(keyOf(item)).size)
}
