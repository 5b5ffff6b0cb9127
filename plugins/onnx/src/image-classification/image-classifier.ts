import { openImage, imageQueue, pixelsOf, planes, refuseImage } from '../images/index.js'
import { side } from './efficientnet-lite0.js'
import type { Call, ImageClassificationCapability, ImageClassificationRequest } from '@sallyport/core'
import { oneAtATime } from '../batching/one-at-a-time.js'
import { numbersOf } from '../encoder/rows.js'
import type { NamedImage } from '../images/index.js'
import { softmax } from '../probabilities.js'
import type { Session } from '../session/ort-session.js'

/** Labels of an image where the request does not say how many. */
const usual = 5

type Labels = { label: string; score: number }[]

/** Says what images show, in the words of the names of its classes. */
export class ImageClassifier implements ImageClassificationCapability {
  private readonly evaluate = oneAtATime(imageQueue, (image: NamedImage) => this.probabilities(image))

  constructor(
    private readonly session: Session,
    /** By the position of the class in the network's output. */
    private readonly names: readonly string[],
  ) {}

  /**
   * Images are evaluated one by one, in turns between callers.
   * @throws invalid_request, naming the image's field; overloaded; the signal's reason
   */
  async classify({ images, top = usual }: ImageClassificationRequest, call: Call): Promise<{ labels: Labels[] }> {
    const named = images.map(({ image }, index) => ({ image, field: `images[${index}].image` }))
    const probabilities = await this.evaluate(named, call)
    return { labels: probabilities.map((scores) => best(scores, this.names, top)) }
  }

  /** Computes the probabilities of the classes: the mean over the views of the image. */
  private async probabilities({ image, field }: NamedImage): Promise<Float32Array> {
    const views = await viewsOf(image).catch((error: unknown) => refuseImage(error, field))
    const size = 3 * side * side
    const { buffer, byteOffset, byteLength } = views
    const pixels = {
      type: 'FP32' as const,
      shape: [views.length / size, 3, side, side],
      data: new Uint8Array(buffer, byteOffset, byteLength),
    }
    const { logits } = await this.session.run({ pixels })
    if (!logits) throw new Error('the network gave no logits')
    return meanOfSoftmax(numbersOf(logits), this.names.length)
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

/** Ties in the order of the classes. */
const best = (scores: Float32Array, names: readonly string[], top: number): Labels =>
  names
    .map((label, index) => ({ label, score: scores[index] ?? 0 }))
    .sort((left, right) => right.score - left.score)
    .slice(0, top)

/** The model was trained on values (byte − 127) / 128. */
const scale = { rescale: 1, mean: [127, 127, 127], deviation: [128, 128, 128] }
const grey = { r: 127, g: 127, b: 127 }
/** The part of the shorter side that the middle shows, as in training. */
const shown = 224 / 256

/**
 * An image as the network reads it, twice: its middle, and all of it with grey beside what is not square. What is
 * at the edge is missing in the first, and small in the second.
 * @throws ImageError
 */
export const viewsOf = async (image: Uint8Array): Promise<Float32Array> => {
  const { pipeline, width, height } = await openImage(image)
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
