/** Puts items behind those of a list, however many: as arguments of push, some hundred thousand overflow the stack. */
export const append = <Item>(list: Item[], items: Iterable<Item>): void => {
  for (const item of items) list.push(item)
}
