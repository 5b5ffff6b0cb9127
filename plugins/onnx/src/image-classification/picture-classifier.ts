import type { Call, ImageClassificationCapability, ImageClassificationRequest } from '@sallyport/core'
import { numbersOf } from '../encoder/numbers.js'
import { onePictureAtATime, refusePicture } from '../images/index.js'
import type { NamedPicture } from '../images/index.js'
import { softmax } from '../probabilities.js'
import type { Session } from '../session/session.js'
import { side } from './efficientnet-lite0.js'
import { viewsOf } from './views.js'

/** Labels of a picture where the request does not say how many. */
const usual = 5

type Labels = { label: string; score: number }[]

/** Says what pictures show, in the words of the names of its classes. */
export class PictureClassifier implements ImageClassificationCapability {
  private readonly turns = onePictureAtATime((picture: NamedPicture) => this.probabilities(picture))

  constructor(
    private readonly session: Session,
    /** By the position of the class in the network's output. */
    private readonly names: readonly string[],
  ) {}

  /**
   * Pictures are evaluated one by one, in turns between callers.
   * @throws invalid_request, naming the picture's field; overloaded; the signal's reason
   */
  async classify({ images, top = usual }: ImageClassificationRequest, call: Call): Promise<{ labels: Labels[] }> {
    const pictures = images.map(({ image }, index) => ({ image, field: `images[${index}].image` }))
    const probabilities = await this.turns.run(pictures, call)
    return { labels: probabilities.map((scores) => best(scores, this.names, top)) }
  }

  /** Of the classes, as the mean of the views' ones. */
  private async probabilities({ image, field }: NamedPicture): Promise<Float32Array> {
    const views = await viewsOf(image).catch((error: unknown) => refusePicture(error, field))
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
