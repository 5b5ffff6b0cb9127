import { randomNumbers } from '@sallyport/kit/numbers'

/** Numbers between −1 and 1 that are always the same. */
export const numbers = (seed = 1): (() => number) => {
  const next = randomNumbers(seed)
  return () => 2 * next() - 1
}

/** Values between −scale and scale. */
export const randomArray = (length: number, scale: number, next: () => number): Float32Array =>
  Float32Array.from({ length }, () => scale * next())
