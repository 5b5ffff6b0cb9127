import type { AudioBlock } from './block.js'

/**
 * How much each channel counts where the usual order of so many says which loudspeaker it is for: speech stands in the
 * centre, and the one for low frequencies has none. After ITU-R BS.775. Any other number counts alike.
 */
const side = Math.SQRT1_2
const weights: Readonly<Record<number, readonly number[]>> = {
  3: [side, side, 1],
  5: [side, side, 1, side / 2, side / 2],
  6: [side, side, 1, 0, side / 2, side / 2],
  7: [side, side, 1, 0, side / 2, side / 2, side / 2],
  8: [side, side, 1, 0, side / 2, side / 2, side / 2, side / 2],
}

/** One channel of all; never louder than the loudest. */
export const downmix = ({ channels }: AudioBlock): Float32Array => {
  const [first] = channels
  if (!first || channels.length === 1) return first ?? new Float32Array()
  const own = weights[channels.length] ?? channels.map(() => 1)
  const sum = own.reduce((total, weight) => total + weight, 0)
  const mixed = new Float32Array(first.length)
  channels.forEach((samples, channel) => {
    const weight = (own[channel] ?? 0) / sum
    if (weight === 0) return
    for (let index = 0; index < mixed.length; index += 1)
      mixed[index] = (mixed[index] ?? 0) + weight * (samples[index] ?? 0)
  })
  return mixed
}
