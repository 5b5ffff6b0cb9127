/** Appends any number of items to a list: as arguments of push, some hundred thousand overflow the stack. */
export const append = <Item>(list: Item[], items: Iterable<Item>): void => {
  for (const item of items) list.push(item)
}
