import { openPicture, pixelsOf, planes } from '../images/index.js'
import { side } from './efficientnet-lite0.js'

/** As in training: a value is (byte − 127) / 128. */
const scale = { rescale: 1, mean: [127, 127, 127], deviation: [128, 128, 128] }
const grey = { r: 127, g: 127, b: 127 }
/** The part of the shorter side that the middle shows, as in training. */
const shown = 224 / 256

/**
 * A picture as the network reads it, twice: its middle, and all of it with grey beside what is not square. What is
 * at the edge is missing in the first, and small in the second.
 * @throws PictureError
 */
export const viewsOf = async (image: Uint8Array): Promise<Float32Array> => {
  const { pipeline, width, height } = await openPicture(image)
  const cut = Math.max(1, Math.round(Math.min(width, height) * shown))
  const left = Math.floor((width - cut) / 2)
  const top = Math.floor((height - cut) / 2)
  const size = { width: side, height: side, kernel: 'cubic' } as const
  const middle = pipeline.clone().extract({ left, top, width: cut, height: cut }).resize(size)
  const whole = pipeline.resize({ ...size, fit: 'contain', background: grey })
  const views = [await pixelsOf(middle), await pixelsOf(whole)]
  const values = new Float32Array(views.length * 3 * side * side)
  views.forEach((bytes, index) => values.set(planes(bytes, size, scale).values, index * bytes.length))
  return values
}
