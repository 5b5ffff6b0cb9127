/** Numbers in [-1, 1), the same for the same seed (mulberry32). */
export const randomNumbers = (seed: number): ((count: number) => Float32Array) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
  return (count) => Float32Array.from({ length: count }, next)
}
