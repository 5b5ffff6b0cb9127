import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { OcrEngine } from '../engine.js'
import type { OcrLine, Raster } from '../../raster.js'
import { checkRaster } from '../engine.js'
import { inReadingOrder } from '../reading-order.js'
import type { DecodedLine } from './ctc.js'
import { Detector } from './detector.js'
import { uprightPage } from './upright-page.js'
import type { UprightPage } from './upright-page.js'
import { boundingBox, deskewed } from './rectangle.js'
import type { Rectangle } from './rectangle.js'
import { Recogniser } from './recogniser.js'
import { commonAngle } from './regions.js'

/** Models, looked up at each evaluation, because they may be loaded later or restarted after a crash. */
export interface PpOcrModels {
  /** Detects lines: maps an image to the probability of text for each pixel. */
  readonly detector: () => Served<InferenceCapability>
  /** Reads lines: maps strips of 48 rows to probabilities of characters for every eight columns. */
  readonly recogniser: () => Served<InferenceCapability>
}

/** Lines with less confidence are no text. All thresholds here were measured on scanned pages. */
const minConfidence = 0.5
/** Regions with at least this height over width may have vertical text … */
const maybeVertical = 1.5
/** … and those with this one do. */
const surelyVertical = 3
/** Lines with this confidence are not read again in another direction. */
const acceptedConfidence = 0.8

/** Reads text in many languages by the models of PP-OCR, which detect lines and read them. */
export class PpOcrEngine implements OcrEngine {
  private readonly models: { readonly detector: Detector; readonly recogniser: Recogniser }

  constructor({ detector, recogniser }: PpOcrModels) {
    this.models = { detector: new Detector(detector), recogniser: new Recogniser(recogniser) }
  }

  /** @throws RangeError where the data does not have the image's size; what the models throw */
  async read(image: Raster, call: Call): Promise<OcrLine[]> {
    call.signal.throwIfAborted()
    checkRaster(image)
    const page = await uprightPage(image, this.models, call)
    const read = await this.readAll(page, call)
    const found = [...read].filter(([, { text, confidence }]) => text.trim() !== '' && confidence >= minConfidence)
    const skew = commonAngle(found.map(([region]) => region))
    return inReadingOrder(found, ([region]) => deskewed(region, skew)).map(([region, { text, confidence }]) => ({
      text: text.trim(),
      confidence,
      box: boundingBox(region, page.image),
    }))
  }

  /** There is nothing to close: the models belong to the kernel. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  private async readAll({ image, regions, read }: UprightPage, call: Call): Promise<Map<Rectangle, DecodedLine>> {
    const best = new Map(read)
    const attempt = async (tried: readonly Rectangle[], turn: number) => {
      const decoded = await this.models.recogniser.read(image, tried.map(alongText(turn)), call)
      for (const [index, region] of tried.entries()) {
        const one = decoded[index]
        if (one && one.confidence > (best.get(region)?.confidence ?? 0)) best.set(region, one)
      }
    }
    const unread = regions.filter((region) => !read.has(region) && region.height < surelyVertical * region.width)
    await attempt(unread, 0)
    const doubtful = regions.filter(
      (region) =>
        region.height >= maybeVertical * region.width && (best.get(region)?.confidence ?? 0) < acceptedConfidence,
    )
    for (const turn of [1, -1]) await attempt(doubtful, turn)
    return best
  }
}

/** The rectangle of a line whose text runs down (1), up (-1) or to the right (0). */
const alongText =
  (turn: number) =>
  (region: Rectangle): Rectangle =>
    turn === 0
      ? region
      : { ...region, width: region.height, height: region.width, angle: region.angle + (turn * Math.PI) / 2 }
