/**
 * How much is kept of two texts for which there is not enough room: the longer one is cut until both are equal, as the
 * tokenizers library does (`longest_first`).
 * @param keepFirst cut the second one instead, until a quarter of the room is left to it
 */
export const pairLengths = (
  first: number,
  second: number,
  room: number,
  keepFirst = false,
): { readonly first: number; readonly second: number } => {
  if (first + second <= room) return { first, second }
  if (keepFirst) {
    const kept = Math.min(first, room - Math.min(second, Math.floor(room / 4)))
    return { first: kept, second: Math.min(second, room - kept) }
  }
  const shorter = Math.min(first, second, Math.floor(room / 2))
  return first > second ? { first: room - shorter, second: shorter } : { first: shorter, second: room - shorter }
}
