/** Which way up an image is. */

import type { Call } from '@sallyport/core'
import type { Raster } from '../../raster.js'
import { turned } from '../engine.js'
import type { Quarters } from '../engine.js'
import type { Decoded } from './ctc.js'
import type { Detector } from './detector.js'
import type { Recogniser } from './recogniser.js'
import { turnedWith } from './rectangle.js'
import type { Rectangle } from './rectangle.js'

/** An image in the way that its text is read best. */
export interface Page {
  readonly image: Raster
  readonly regions: readonly Rectangle[]
  /** What was read on the way. */
  readonly read: ReadonlyMap<Rectangle, Decoded>
}

/** Lines that are read to tell. */
const tries = 4
/** Text that is upright is read with more confidence than this. */
const sure = 0.85
/** In heights: such lines are long enough to tell from, and short enough to read more than once. */
const telling = { least: 2, most: 16 }

/** Turns an image by as many quarters as it takes until its lines run to the right and can be read. */
export const uprightPage = async (
  image: Raster,
  { detector, recogniser }: { readonly detector: Detector; readonly recogniser: Recogniser },
  call: Call,
): Promise<Page> => {
  const regions = await detector.detect(image, call)
  let best: Page & { readonly confidence: number } = { image, regions, read: new Map(), confidence: -1 }
  if (regions.length === 0) return best
  for await (const view of viewsOf(image, regions, (other) => detector.detect(other, call))) {
    const samples = samplesOf(view.regions)
    const decoded = await recogniser.read(view.image, samples, call)
    const confidence = decoded.reduce((sum, one) => sum + one.confidence, 0) / Math.max(1, decoded.length)
    const read = new Map(samples.map((region, index) => [region, decoded[index] ?? nothing]))
    if (confidence > best.confidence) best = { ...view, read, confidence }
    if (best.confidence >= sure) break
  }
  return best
}

const nothing: Decoded = { text: '', confidence: 0 }

type View = Omit<Page, 'read'>

/** The more probable ones first. Lines are looked for again where they lie on their side. */
async function* viewsOf(
  image: Raster,
  regions: readonly Rectangle[],
  detect: (image: Raster) => Promise<Rectangle[]>,
): AsyncGenerator<View> {
  const upsideDown = (view: View): View => viewAt(view, 2)
  const asItIs = { image, regions }
  if (runDown(regions)) {
    const onSide = turned(image, 1)
    const view = { image: onSide, regions: await detect(onSide) }
    yield view
    yield upsideDown(view)
    yield asItIs
  } else {
    yield asItIs
    yield upsideDown(asItIs)
  }
}

const viewAt = ({ image, regions }: View, quarters: Quarters): View => ({
  image: turned(image, quarters),
  regions: regions.map((region) => turnedWith(region, image, quarters)),
})

/** Whether most of what is longer than wide runs up or down. */
const runDown = (regions: readonly Rectangle[]): boolean => {
  const balance = regions.map(({ width, height }) =>
    Math.max(width, height) < telling.least * Math.min(width, height) ? 0 : height - width,
  )
  return balance.reduce((sum, one) => sum + one, 0) > 0
}

/** The longest of those that are not too long, or else the shortest of the others. */
const samplesOf = (regions: readonly Rectangle[]): Rectangle[] => {
  const length = ({ width, height }: Rectangle) => width / height
  const sorted = [...regions].sort((a, b) => length(b) - length(a))
  const fit = sorted.filter((region) => length(region) <= telling.most)
  return fit.length > 0 ? fit.slice(0, tries) : sorted.slice(-1)
}
