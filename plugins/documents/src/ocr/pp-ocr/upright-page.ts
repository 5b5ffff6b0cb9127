/** Finds which way up an image is. */

import type { Call } from '@sallyport/core'
import type { Raster } from '../../raster.js'
import { rotated } from '../engine.js'
import { noText } from './ctc.js'
import type { DecodedLine } from './ctc.js'
import type { Detector } from './detector.js'
import type { Recogniser } from './recogniser.js'
import type { Rectangle } from './rectangle.js'

/** An image, rotated so that its text is read best. */
export interface UprightPage {
  readonly image: Raster
  readonly regions: readonly Rectangle[]
  /** The lines that were read to find the orientation. */
  readonly read: ReadonlyMap<Rectangle, DecodedLine>
}

/** The number of lines that are read to find the orientation. */
const sampleCount = 4
/** Upright text is read with more confidence than this. */
const uprightConfidence = 0.85
/** Width over height of sample lines: long enough to show the orientation, short enough to be read several times. */
const sampleAspect = { min: 2, max: 16 }

/** Rotates an image by quarter turns until its lines can be read. */
export const uprightPage = async (
  image: Raster,
  { detector, recogniser }: { readonly detector: Detector; readonly recogniser: Recogniser },
  call: Call,
): Promise<UprightPage> => {
  const regions = await detector.detect(image, call)
  let best: UprightPage & { readonly confidence: number } = { image, regions, read: new Map(), confidence: -1 }
  if (regions.length === 0) return best
  for await (const view of viewsOf(image, regions, (other) => detector.detect(other, call))) {
    const samples = samplesOf(view.regions)
    const decoded = await recogniser.read(view.image, samples, call)
    const confidence = decoded.reduce((sum, one) => sum + one.confidence, 0) / Math.max(1, decoded.length)
    const read = new Map(samples.map((region, index) => [region, decoded[index] ?? noText]))
    if (confidence > best.confidence) best = { ...view, read, confidence }
    if (best.confidence >= uprightConfidence) break
  }
  return best
}

type View = Omit<UprightPage, 'read'>

/** The orientations to try, more probable ones first. Sideways images are rotated, and their lines detected again. */
async function* viewsOf(
  image: Raster,
  regions: readonly Rectangle[],
  detect: (image: Raster) => Promise<Rectangle[]>,
): AsyncGenerator<View> {
  const asGiven = { image, regions }
  if (areVertical(regions)) {
    const sideways = rotated(image, 1)
    const view = { image: sideways, regions: await detect(sideways) }
    yield view
    yield upsideDown(view)
    yield asGiven
  } else {
    yield asGiven
    yield upsideDown(asGiven)
  }
}

const upsideDown = ({ image, regions }: View): View => ({
  image: rotated(image, 2),
  regions: regions.map((region) => ({ ...region, x: image.width - region.x, y: image.height - region.y })),
})

/** Whether most long regions are vertical. */
const areVertical = (regions: readonly Rectangle[]): boolean => {
  const balance = regions.map(({ width, height }) =>
    Math.max(width, height) < sampleAspect.min * Math.min(width, height) ? 0 : height - width,
  )
  return balance.reduce((sum, one) => sum + one, 0) > 0
}

/** The longest lines that are not too long, or else the shortest line. */
const samplesOf = (regions: readonly Rectangle[]): Rectangle[] => {
  const length = ({ width, height }: Rectangle) => width / height
  const sorted = [...regions].sort((a, b) => length(b) - length(a))
  const fit = sorted.filter((region) => length(region) <= sampleAspect.max)
  return fit.length > 0 ? fit.slice(0, sampleCount) : sorted.slice(-1)
}
