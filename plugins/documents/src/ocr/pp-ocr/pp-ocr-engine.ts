import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { OcrEngine } from '../engine.js'
import type { OcrLine, Raster } from '../../raster.js'
import { checkRaster } from '../engine.js'
import { inReadingOrder } from '../reading-order.js'
import type { Decoded } from './ctc.js'
import { Detector } from './detector.js'
import { uprightPage } from './page.js'
import type { Page } from './page.js'
import { boxOf, laidStraight } from './rectangle.js'
import type { Rectangle } from './rectangle.js'
import { Recogniser } from './recogniser.js'
import { commonAngle } from './regions.js'

/** Asked for at each evaluation: they may be loaded later, and come back after a crash. */
export interface PpOcrModels {
  /** Finds lines: an image in, the probability of text for each pixel out. */
  readonly detector: () => Served<InferenceCapability>
  /** Reads them: strips of 48 rows in, the probability of each character for every eight columns out. */
  readonly recogniser: () => Served<InferenceCapability>
}

/** Lines that are read with less are taken for something else than text. Measured on scanned pages, as all bounds here. */
const leastConfidence = 0.5
/** In widths: from here on a line may run up or down … */
const tall = 1.5
/** … and from here on it does. */
const surelyTall = 3
/** A line that is read with this confidence is not tried in another way. */
const sure = 0.8

/** Text in many languages by the models of PP-OCR, which find lines and read them. */
export class PpOcrEngine implements OcrEngine {
  private readonly models: { readonly detector: Detector; readonly recogniser: Recogniser }

  constructor({ detector, recogniser }: PpOcrModels) {
    this.models = { detector: new Detector(detector), recogniser: new Recogniser(recogniser) }
  }

  /** @throws RangeError where the bytes are not those of the size; what the models throw */
  async read(image: Raster, call: Call): Promise<OcrLine[]> {
    call.signal.throwIfAborted()
    checkRaster(image)
    const page = await uprightPage(image, this.models, call)
    const read = await this.readAll(page, call)
    const found = [...read].filter(([, { text, confidence }]) => text.trim() !== '' && confidence >= leastConfidence)
    const skew = commonAngle(found.map(([region]) => region))
    return inReadingOrder(found, ([region]) => laidStraight(region, skew)).map(([region, { text, confidence }]) => ({
      text: text.trim(),
      confidence,
      box: boxOf(region, page.image),
    }))
  }

  /** The models belong to the kernel. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  private async readAll({ image, regions, read }: Page, call: Call): Promise<Map<Rectangle, Decoded>> {
    const best = new Map(read)
    const attempt = async (tried: readonly Rectangle[], turn: number) => {
      const decoded = await this.models.recogniser.read(image, tried.map(turnedText(turn)), call)
      for (const [index, region] of tried.entries()) {
        const one = decoded[index]
        if (one && one.confidence > (best.get(region)?.confidence ?? 0)) best.set(region, one)
      }
    }
    const unread = regions.filter((region) => !read.has(region) && region.height < surelyTall * region.width)
    await attempt(unread, 0)
    const doubtful = regions.filter(
      (region) => region.height >= tall * region.width && (best.get(region)?.confidence ?? 0) < sure,
    )
    for (const turn of [1, -1]) await attempt(doubtful, turn)
    return best
  }
}

/** The rectangle of a line whose text runs down (1), up (-1) or to the right (0). */
const turnedText =
  (turn: number) =>
  (region: Rectangle): Rectangle =>
    turn === 0
      ? region
      : { ...region, width: region.height, height: region.width, angle: region.angle + (turn * Math.PI) / 2 }
