import { inject, injectable } from 'tsyringe'
import { failure, options } from '@sallyport/core'
import type { Call, ImageClassificationCapability, ImageClassificationRequest } from '@sallyport/core'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'

/** Tells from the header of a PNG file whether the picture is wide, tall or square. */
@injectable()
export class ShapeClassification implements ImageClassificationCapability {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async classify({ images, top = 3 }: ImageClassificationRequest, call: Call) {
    await pause(this.options, call)
    return {
      labels: images.map(({ image }, index) => labelsOf(ratioOf(image, `images[${index}].image`)).slice(0, top)),
    }
  }
}

const signature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1')

/** Width by height. @throws invalid_request */
const ratioOf = (image: Uint8Array, field: string): number => {
  const bytes = Buffer.from(image)
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(signature) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    throw failure('invalid_request', { field, problem: 'is no PNG picture' })
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width === 0 || height === 0) throw failure('invalid_request', { field, problem: 'is an empty picture' })
  return width / height
}

const labelsOf = (ratio: number) => {
  const wide = ratio ** 2 / (1 + ratio ** 2)
  const square = 1 - Math.abs(2 * wide - 1)
  return [
    { label: 'wide', score: (1 - square) * wide },
    { label: 'tall', score: (1 - square) * (1 - wide) },
    { label: 'square', score: square },
  ].sort((a, b) => b.score - a.score)
}
