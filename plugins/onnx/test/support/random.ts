import { randomNumbers as numbersFrom } from '@sallyport/kit/numbers'

/** Numbers in [-1, 1), the same for the same seed. */
export const randomNumbers = (seed: number): ((count: number) => Float32Array) => {
  const next = numbersFrom(seed)
  return (count) => Float32Array.from({ length: count }, () => 2 * next() - 1)
}
