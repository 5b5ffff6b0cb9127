/** Classifiers of texts, of spans and of images. */

import { failure } from '@sallyport/core'
import type {
  ClassifiedSpan,
  ImageClassificationCapability,
  TextClassificationCapability,
  TokenClassificationCapability,
} from '@sallyport/core'
import { referenceService } from './backend.js'
import { matches } from './detectors.js'
import { vocabularyOf } from './words.js'

const good = vocabularyOf('good great excellent love wonderful happy best nice')
const bad = vocabularyOf('bad awful terrible hate horrible sad worst poor')

/** Scores by single words whether a text is positive. */
export const WordSentiment = referenceService<TextClassificationCapability>({
  classify: ({ inputs }) => ({
    labels: inputs.map(({ text, pair = '' }) => sentimentOf(vocabularyOf(`${text} ${pair}`))),
  }),
})

const sentimentOf = (words: ReadonlySet<string>) => {
  const count = (list: ReadonlySet<string>) => [...list].filter((word) => words.has(word)).length
  const balance = count(good) - count(bad)
  const positive = 1 / (1 + Math.exp(-balance))
  return bestFirst({ positive, negative: 1 - positive })
}

const bestFirst = (scores: Readonly<Record<string, number>>) =>
  Object.entries(scores)
    .map(([label, score]) => ({ label, score }))
    .sort((a, b) => b.score - a.score)

/** Labels two or more capitalised words in a row as a name. */
export const CapitalNames = referenceService<TokenClassificationCapability>({
  classify: ({ texts }) => ({ spans: texts.map(namesOf) }),
})

const namesOf = (text: string): ClassifiedSpan[] =>
  matches(text, /(?<!\p{L})\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+/gu, 'PERSON', 0.6).map(({ type, ...span }) => ({
    label: type,
    ...span,
  }))

/** Scores from the header of a PNG file whether the image is wide, tall or square. */
export const ShapeClassification = referenceService<ImageClassificationCapability>({
  classify: ({ images, top = 3 }) => ({
    labels: images.map(({ image }, index) => shapeOf(ratioOf(image, `images[${index}].image`)).slice(0, top)),
  }),
})

const shapeOf = (ratio: number) => {
  const wide = ratio ** 2 / (1 + ratio ** 2)
  const square = 1 - Math.abs(2 * wide - 1)
  return bestFirst({ wide: (1 - square) * wide, tall: (1 - square) * (1 - wide), square })
}

const signature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1')

/** Width by height. @throws invalid_request */
const ratioOf = (image: Uint8Array, field: string): number => {
  const bytes = Buffer.from(image)
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(signature) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    throw failure('invalid_request', { field, problem: 'is not a PNG image' })
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width === 0 || height === 0) throw failure('invalid_request', { field, problem: 'is an empty image' })
  return width / height
}
