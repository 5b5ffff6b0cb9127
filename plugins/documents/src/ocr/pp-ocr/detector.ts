import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { Raster } from '../engine.js'
import { edgeColour } from '../raster.js'
import type { Rectangle } from './rectangle.js'
import { regionsOf } from './regions.js'
import type { RegionOptions } from './regions.js'
import { sample } from './sample.js'
import { floatsOf, floatTensor } from './tensors.js'

export interface DetectorOptions extends RegionOptions {
  /** Pixels of the picture that the model reads, at most; a larger one is made smaller. */
  readonly pixels: number
}

/** The model reads pictures whose sides are multiples of this. */
const grain = 32

/** Finds the lines of text of a picture. */
export class Detector {
  constructor(
    private readonly model: () => Served<InferenceCapability>,
    private readonly options: DetectorOptions,
  ) {}

  async detect(picture: Raster, call: Call): Promise<Rectangle[]> {
    const { width, height } = picture
    const scale = Math.min(1, Math.sqrt(this.options.pixels / (width * height)))
    const [columns, rows] = [roundUp(width * scale), roundUp(height * scale)]
    // what the model gets is larger than the picture: the rest has the colour of its edge
    const whole = {
      x: columns / scale / 2,
      y: rows / scale / 2,
      width: columns / scale,
      height: rows / scale,
      angle: 0,
    }
    const { values } = sample(picture, whole, columns, rows, edgeColour(picture))
    const { outputs } = await this.model().run({ inputs: { x: floatTensor([1, 3, rows, columns], values) } }, call)
    const [map] = Object.values(outputs)
    if (!map) throw new TypeError('the detector has no output')
    const regions = regionsOf({ width: columns, height: rows, data: floatsOf(map) }, this.options)
    return regions.map((region) => scaled(region, 1 / scale))
  }
}

const roundUp = (size: number) => Math.max(grain, Math.ceil(size / grain) * grain)

const scaled = ({ x, y, width, height, angle }: Rectangle, factor: number): Rectangle => ({
  x: x * factor,
  y: y * factor,
  width: width * factor,
  height: height * factor,
  angle,
})
