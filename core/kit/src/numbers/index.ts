/** Vectors, half precision, random numbers. */

export { cosine } from './cosine.js'
export { fromFloat16, toFloat16, toHalf } from './float16.js'
export { normalised } from './normalised.js'
export { randomNumbers } from './random-numbers.js'
