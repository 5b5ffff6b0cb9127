import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { OcrEngine, OcrLine, Raster } from '../engine.js'
import { checkRaster } from '../raster.js'
import { Detector } from './detector.js'
import type { DetectorOptions } from './detector.js'
import { boxOf } from './rectangle.js'
import { Recogniser } from './recogniser.js'
import type { RecogniserOptions } from './recogniser.js'

export interface PpOcrModels {
  readonly detector: () => Served<InferenceCapability>
  readonly recogniser: () => Served<InferenceCapability>
}

export type PpOcrOptions = DetectorOptions & RecogniserOptions & { readonly confidence: number }

const defaults: PpOcrOptions = {
  pixels: 1_600_000,
  threshold: 0.3,
  lineThreshold: 0.5,
  growth: 1.6,
  stretch: 1,
  columns: 2400,
  confidence: 0.5,
}

export class PpOcrEngine implements OcrEngine {
  private readonly detector: Detector
  private readonly recogniser: Recogniser
  private readonly options: PpOcrOptions

  constructor(models: PpOcrModels, options: Partial<PpOcrOptions> = {}) {
    this.options = { ...defaults, ...options }
    this.detector = new Detector(models.detector, this.options)
    this.recogniser = new Recogniser(models.recogniser, this.options)
  }

  async read(picture: Raster, call: Call): Promise<OcrLine[]> {
    checkRaster(picture)
    const regions = await this.detector.detect(picture, call)
    const texts = await this.recogniser.read(picture, regions, call)
    return texts.flatMap(({ text, confidence }, index) => {
      const region = regions[index]
      return region && text.trim() !== '' && confidence >= this.options.confidence
        ? [{ text: text.trim(), confidence, box: boxOf(region, picture) }]
        : []
    })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
