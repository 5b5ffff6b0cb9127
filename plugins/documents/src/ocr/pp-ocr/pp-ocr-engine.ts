import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { OcrEngine, OcrLine, Raster } from '../engine.js'
import { checkRaster } from '../raster.js'
import { inReadingOrder } from '../reading-order.js'
import type { Decoded } from './ctc.js'
import { Detector } from './detector.js'
import type { DetectorOptions } from './detector.js'
import { uprightPage } from './page.js'
import type { Page } from './page.js'
import { boxOf, laidStraight } from './rectangle.js'
import type { Rectangle } from './rectangle.js'
import { Recogniser } from './recogniser.js'
import type { RecogniserOptions } from './recogniser.js'
import { commonAngle } from './regions.js'

/** Asked for at each evaluation: they may be loaded later, and come back after a crash. */
export interface PpOcrModels {
  /** Finds lines: a picture in, the probability of text for each pixel out. */
  readonly detector: () => Served<InferenceCapability>
  /** Reads them: strips of 48 rows in, the probability of each character for every eight columns out. */
  readonly recogniser: () => Served<InferenceCapability>
}

export interface PpOcrOptions extends DetectorOptions, RecogniserOptions {
  /** Lines that are read with less are taken for something else than text. */
  readonly confidence: number
}

/** Measured on scanned pages: see test/quality/ocr.ts. */
const defaults: PpOcrOptions = {
  pixels: 1_000_000,
  threshold: 0.3,
  lineThreshold: 0.5,
  growth: 1.6,
  stretch: 0.8,
  columns: 2400,
  confidence: 0.5,
}

/** In widths: from here on a line may run up or down … */
const tall = 1.5
/** … and from here on it does. */
const surelyTall = 3
/** A line that is read with this confidence is not tried in another way. */
const sure = 0.8

/** Text in many languages by the models of PP-OCR, which find lines and read them. */
export class PpOcrEngine implements OcrEngine {
  private readonly models: { readonly detector: Detector; readonly recogniser: Recogniser }
  private readonly least: number

  constructor(models: PpOcrModels, options: Partial<PpOcrOptions> = {}) {
    const all = { ...defaults, ...options }
    this.models = {
      detector: new Detector(models.detector, all),
      recogniser: new Recogniser(models.recogniser, all),
    }
    this.least = all.confidence
  }

  /** @throws RangeError where the bytes are not those of the size; what the models throw */
  async read(picture: Raster, call: Call): Promise<OcrLine[]> {
    call.signal.throwIfAborted()
    checkRaster(picture)
    const page = await uprightPage(picture, this.models, call)
    const read = await this.readAll(page, call)
    const found = [...read].filter(([, { text, confidence }]) => text.trim() !== '' && confidence >= this.least)
    const skew = commonAngle(found.map(([region]) => region))
    return inReadingOrder(found, ([region]) => laidStraight(region, skew)).map(([region, { text, confidence }]) => ({
      text: text.trim(),
      confidence,
      box: boxOf(region, page.picture),
    }))
  }

  /** The models belong to the kernel. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  private async readAll({ picture, regions, read }: Page, call: Call): Promise<Map<Rectangle, Decoded>> {
    const best = new Map(read)
    const attempt = async (tried: readonly Rectangle[], turn: number) => {
      const decoded = await this.models.recogniser.read(picture, tried.map(turnedText(turn)), call)
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
