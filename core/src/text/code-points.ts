/** How many code points stand before each of these positions, which are UTF-16 and in any order. */
export const codePointOffsets = (text: string, positions: readonly number[]): Map<number, number> => {
  const sorted = [...new Set(positions)].sort((a, b) => a - b)
  const offsets = new Map<number, number>()
  let at = 0
  let count = 0
  for (const position of sorted) {
    while (at < position && at < text.length) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      count += 1
    }
    offsets.set(position, count)
  }
  return offsets
}
