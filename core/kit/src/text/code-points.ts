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

/** The position, or the one before it where it is between the halves of a surrogate pair. */
export const characterStart = (text: string, position: number): number =>
  (text.codePointAt(position - 1) ?? 0) > 0xffff ? position - 1 : position

/** Drops a high surrogate from the end of a text that may grow, as the low surrogate is still to come. */
export const withoutHalfPair = (text: string): string =>
  (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(0, -1) : text
