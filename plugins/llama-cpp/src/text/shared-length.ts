/** UTF-16 units that both texts begin with. */
export const sharedLength = (one: string, other: string): number => {
  let length = 0
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}
