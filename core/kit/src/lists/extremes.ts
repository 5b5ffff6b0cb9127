/**
 * The largest of numbers, however many: spread into the arguments of Math.max, some hundred thousand overflow the stack.
 * @param least of what is said; what is said where there are none
 */
export const maxOf = (values: Iterable<number>, least = -Infinity): number => {
  let most = least
  for (const value of values) most = Math.max(most, value)
  return most
}

/** The smallest of them. @param most of what is said; what is said where there are none */
export const minOf = (values: Iterable<number>, most = Infinity): number => {
  let least = most
  for (const value of values) least = Math.min(least, value)
  return least
}
