/**
 * The largest of any number of values: as arguments of Math.max, some hundred thousand overflow the stack.
 * @param atLeast lower bound of the result, and the result where there are no values
 */
export const maxOf = (values: Iterable<number>, atLeast = -Infinity): number => {
  let max = atLeast
  for (const value of values) max = Math.max(max, value)
  return max
}

/**
 * The smallest of any number of values.
 * @param atMost upper bound of the result, and the result where there are no values
 */
export const minOf = (values: Iterable<number>, atMost = Infinity): number => {
  let min = atMost
  for (const value of values) min = Math.min(min, value)
  return min
}
