/** IEEE 754 half precision, as bits: JavaScript has no typed array for it on Node 20. */

const single = new Float32Array(1)
const bits = new Uint32Array(single.buffer)

/** Rounds to nearest, ties to even. */
export const toHalf = (value: number): number => {
  single[0] = value
  const word = bits[0] ?? 0
  const sign = (word >>> 16) & 0x8000
  const magnitude = word & 0x7fffffff
  if (magnitude >= 0x7f800000) return sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00)
  if (magnitude >= 0x477ff000) return sign | 0x7c00
  if (magnitude >= 0x38800000) return sign | roundShift(magnitude - 0x38000000, 13)
  if (magnitude < 0x33000000) return sign
  return sign | roundShift((magnitude & 0x7fffff) | 0x800000, 126 - (magnitude >>> 23))
}

const roundShift = (value: number, shift: number): number => {
  const kept = value >>> shift
  const rest = value & ((1 << shift) - 1)
  const half = 1 << (shift - 1)
  return rest > half || (rest === half && kept & 1) ? kept + 1 : kept
}

const fromHalf = (half: number): number => {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity
  return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -14 * (fraction / 1024)
}

/** The number for each of the 65,536 halves, made when first needed: weights have tens of millions of values. */
let halvesAsNumbers: Float32Array | undefined

export const toFloat16 = (values: ArrayLike<number>): Uint16Array => Uint16Array.from(values, toHalf)

export const fromFloat16 = (halves: Uint16Array): Float32Array => {
  const known = (halvesAsNumbers ??= Float32Array.from({ length: 0x10000 }, (_, half) => fromHalf(half)))
  const numbers = new Float32Array(halves.length)
  for (let index = 0; index < halves.length; index += 1) numbers[index] = known[halves[index] ?? 0] ?? 0
  return numbers
}
