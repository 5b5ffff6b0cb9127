export const countCodePoints = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at += widthAt(text, at)) count += 1
  return count
}

/** How many code points stand before each position; positions are in UTF-16 code units and in any order. */
export const codePointOffsets = (text: string, positions: readonly number[]): Map<number, number> => {
  const sorted = [...new Set(positions)].sort((a, b) => a - b)
  const offsets = new Map<number, number>()
  let at = 0
  let count = 0
  for (const position of sorted) {
    while (at < position && at < text.length) {
      at += widthAt(text, at)
      count += 1
    }
    offsets.set(position, count)
  }
  return offsets
}

/** UTF-16 code units of the character. */
const widthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
