import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { Raster } from '../../raster.js'
import { edgeColour } from '../engine.js'
import type { Rectangle } from './rectangle.js'
import { regionsOf } from './regions.js'
import { floatsOf, floatTensor, resample } from './resample.js'

/** Max pixels of the model's input; larger images are scaled down. */
const maxPixels = 1_000_000
/** The model reads images whose sides are multiples of this. */
const stride = 32

/** Finds the lines of text of an image. */
export class Detector {
  constructor(private readonly model: () => Served<InferenceCapability>) {}

  async detect(image: Raster, call: Call): Promise<Rectangle[]> {
    const { width, height } = image
    const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)))
    const [columns, rows] = [roundUp(width * scale), roundUp(height * scale)]
    // the input may be larger than the image, and the rest of it has the colour of the image's edge
    const input = scaled({ x: columns / 2, y: rows / 2, width: columns, height: rows, angle: 0 }, 1 / scale)
    const { values } = resample(image, input, columns, rows, edgeColour(image))
    const { outputs } = await this.model().run({ inputs: { x: floatTensor([1, 3, rows, columns], values) } }, call)
    const [map] = Object.values(outputs)
    if (!map) throw new TypeError('the detector has no output')
    const regions = regionsOf({ width: columns, height: rows, data: floatsOf(map) })
    return regions.map((region) => scaled(region, 1 / scale))
  }
}

const roundUp = (size: number) => Math.max(stride, Math.ceil(size / stride) * stride)

const scaled = ({ x, y, width, height, angle }: Rectangle, factor: number): Rectangle => ({
  x: x * factor,
  y: y * factor,
  width: width * factor,
  height: height * factor,
  angle,
})
