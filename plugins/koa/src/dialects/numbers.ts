/** Scores never reach 0 or 1, so that they never print as integers: some clients then read another type. */
export const wireScore = (score: number): number => Math.min(1 - 1e-6, Math.max(1e-6, score))

export const countCodePoints = (text: string): number => Array.from(text).length

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
