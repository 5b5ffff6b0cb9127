/** How many of the ascending numbers are not greater than the limit. */
export const countUpTo = (ascending: ArrayLike<number>, limit: number): number => {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((ascending[middle] ?? Infinity) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
