/** Numbers in −0.5..0.5 that are always the same: a linear congruential generator. */
export const randomNumbers = (seed = 1): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

export const randomArray = (length: number, scale: number, next: () => number): Float32Array =>
  Float32Array.from({ length }, () => scale * next())
