import { maxQueuedImages, refuseImage } from '../images/image-error.js'
import { openImage, pixelsOf } from '../images/open-image.js'
import { toPlanes } from '../images/prepare-image.js'
import { side } from './efficientnet-lite0.js'
import type { Call, ImageClassificationCapability, ImageClassificationRequest } from '@sallyport/core'
import { oneAtATime } from '../batching/one-at-a-time.js'
import { bytesOf, toFloat32 } from '../encoder/rows.js'
import type { LocatedImage } from '../images/image-tower.js'
import { softmax } from '../statistics.js'
import type { Session } from '../session/ort-session.js'

/** How many labels an image gets where the request does not say. */
const defaultTopK = 5

type ScoredLabels = { label: string; score: number }[]

/** Classifies images; each label is a class of the network. */
export class ImageClassifier implements ImageClassificationCapability {
  private readonly evaluate = oneAtATime(maxQueuedImages, (image: LocatedImage) => this.probabilities(image))

  constructor(
    private readonly session: Session,
    /** In the order of the network's output. */
    private readonly labels: readonly string[],
  ) {}

  /**
   * Images are evaluated one at a time; tenants take turns.
   * @throws invalid_request, naming the image's field; overloaded; the signal's reason
   */
  async classify(request: ImageClassificationRequest, call: Call): Promise<{ labels: ScoredLabels[] }> {
    const { images, top: topK = defaultTopK } = request
    const located = images.map(({ image }, index) => ({ image, field: `images[${index}].image` }))
    const probabilities = await this.evaluate(located, call)
    return { labels: probabilities.map((scores) => best(scores, this.labels, topK)) }
  }

  /** The probability of each class: the mean over the views. */
  private async probabilities({ image, field }: LocatedImage): Promise<Float32Array> {
    const views = await viewsOf(image).catch((error: unknown) => refuseImage(error, field))
    const shape = [views.length / (3 * side * side), 3, side, side]
    const pixels = { type: 'FP32' as const, shape, data: bytesOf(views) }
    const { logits } = await this.session.run({ pixels })
    if (!logits) throw new Error('the network returned no logits')
    return meanOfSoftmax(toFloat32(logits), this.labels.length)
  }
}

const meanOfSoftmax = (logits: Float32Array, classes: number): Float32Array => {
  const mean = new Float32Array(classes)
  const rows = logits.length / classes
  for (let row = 0; row < rows; row++) {
    const view = softmax(logits.subarray(row * classes, (row + 1) * classes))
    view.forEach((probability, index) => (mean[index] = (mean[index] ?? 0) + probability / rows))
  }
  return mean
}

/** The most probable labels; ties stay in the order of the classes. */
const best = (scores: Float32Array, labels: readonly string[], topK: number): ScoredLabels =>
  labels
    .map((label, index) => ({ label, score: scores[index] ?? 0 }))
    .sort((left, right) => right.score - left.score)
    .slice(0, topK)

/** The network was trained with values of (byte − 127) / 128. */
const scale = { rescale: 1, mean: [127, 127, 127], std: [128, 128, 128] }
const grey = { r: 127, g: 127, b: 127 }
/** The fraction of the shorter side that the centre crop keeps, as in training. */
const centreFraction = 224 / 256

/**
 * Two views of an image: its centre crop, and all of it, letterboxed with grey. Objects at the edge are missing in the
 * first view, and small in the second.
 * @throws ImageError
 */
export const viewsOf = async (image: Uint8Array): Promise<Float32Array> => {
  const { pipeline, width, height } = await openImage(image)
  const crop = Math.max(1, Math.round(Math.min(width, height) * centreFraction))
  const left = Math.floor((width - crop) / 2)
  const top = Math.floor((height - crop) / 2)
  const size = { width: side, height: side, kernel: 'cubic' } as const
  const centre = pipeline.clone().extract({ left, top, width: crop, height: crop }).resize(size)
  const whole = pipeline.resize({ ...size, fit: 'contain', background: grey })
  const views = [await pixelsOf(centre), await pixelsOf(whole)]
  const values = new Float32Array(views.length * 3 * side * side)
  views.forEach((bytes, index) => values.set(toPlanes(bytes, size, scale).values, index * bytes.length))
  return values
}
