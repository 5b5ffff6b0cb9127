import {
  imageClassification,
  textClassification,
  tokenClassification,
  failure,
  isSallyportError,
} from '@sallyport/core'
import type {
  ClassifiedSpan,
  ImageClassificationCapability,
  TextClassificationCapability,
  TokenClassificationCapability,
} from '@sallyport/core'
import { hugePng } from '../../../src/conformance/images.js'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling } from './calls.js'

type Labels = { label: string; score: number }[]

const spoiled = (labels: Labels[], times: number) => ({
  labels: labels.map((one) => one.map(({ label, score }) => ({ label, score: score / (1 + times) }))),
})

const lastLike = (labels: Labels[]) => ({ labels: labels.map(() => labels.at(-1) ?? []) })

const reversed = (labels: Labels[]) => ({ labels: labels.map((one) => [...one].reverse()) })

const oneAtLeast = (labels: Labels[]) => ({ labels: labels.length ? labels : [[]] })

export const textClassificationFaults = plant<TextClassificationCapability>({
  capability: textClassification,
  ...references.textClassification,
  faults: {
    ...callFaults<TextClassificationCapability, 'classify'>('classify', ({ labels }, times) => spoiled(labels, times)),
    'every input has the scores of all labels, best first, in 0..1': answeredBy('classify', ({ labels }) =>
      reversed(labels),
    ),
    'a batch equals its inputs one by one, in order': answeredBy('classify', ({ labels }) => lastLike(labels)),
    'the second text of a pair counts': askedOf('classify', ({ inputs }) => ({
      inputs: inputs.map(({ text }) => ({ text })),
    })),
    'an empty list has no labels': answeredBy('classify', ({ labels }) => oneAtLeast(labels)),
    'every text is labelled': askedOf('classify', ({ inputs }) => ({ inputs: inputs.filter(({ text }) => text) })),
  },
})

const imagesFrom = (change: (images: { image: Uint8Array; mediaType: string }[]) => typeof images) =>
  askedOf<ImageClassificationCapability, 'classify'>('classify', ({ images, ...request }) => ({
    ...request,
    images: change(images),
  }))

export const imageClassificationFaults = plant<ImageClassificationCapability>({
  capability: imageClassification,
  ...references.imageClassification,
  faults: {
    ...callFaults<ImageClassificationCapability, 'classify'>('classify', ({ labels }, times) => spoiled(labels, times)),
    'every image has labels, best first, with scores in 0..1': answeredBy('classify', ({ labels }) => reversed(labels)),
    'a batch equals its images one by one, in order': answeredBy('classify', ({ labels }) => lastLike(labels)),
    'top cuts the labels': askedOf('classify', ({ images }) => ({ images })),
    'the bytes decide about the format, not the media type': imagesFrom((images) =>
      images.filter(({ mediaType }) => mediaType === 'image/png'),
    ),
    'a file that is not an image is refused with invalid_request, and named': calling(
      'classify',
      (inner) => async (request, call) => {
        try {
          return await inner(request, call)
        } catch (error) {
          if (!isSallyportError(error) || error.code !== 'invalid_request') throw error
          throw failure('invalid_request', { problem: 'is no image' })
        }
      },
    ),
    'a small file that claims to be a huge image is answered or refused': calling(
      'classify',
      (inner) => async (request, call) => {
        if (request.images.some(({ image }) => Buffer.from(hugePng()).equals(image))) throw failure('internal', {})
        return inner(request, call)
      },
    ),
    'an empty list has no labels': answeredBy('classify', ({ labels }) => oneAtLeast(labels)),
  },
})

const changeSpans = (change: (spans: ClassifiedSpan[], text: string) => ClassifiedSpan[]) =>
  answeredBy<TokenClassificationCapability, 'classify'>('classify', ({ spans }, { texts }) => ({
    spans: spans.map((one, index) => change(one, texts[index] ?? '')),
  }))

export const tokenClassificationFaults = plant<TokenClassificationCapability>({
  capability: tokenClassification,
  ...references.tokenClassification,
  faults: {
    ...callFaults<TokenClassificationCapability, 'classify'>('classify', ({ spans }, times) => ({
      spans: spans.map((one) => one.map((span) => ({ ...span, label: `${times}` }))),
    })),
    'spans lie within their text, in order of their start, with a label and a score in 0..1': changeSpans((spans) =>
      [...spans].reverse(),
    ),
    'a name is found where it stands': changeSpans((spans) => spans.filter(({ start }) => start === 0)),
    'positions count UTF-16 code units': changeSpans((spans, text) =>
      spans.map(({ start, end, ...span }) => {
        const first = Array.from(text.slice(0, start)).length
        return { ...span, start: first, end: first + end - start }
      }),
    ),
    'a name at the end of a long text is found': askedOf('classify', ({ texts }) => ({
      texts: texts.map((text) => text.slice(0, 2000)),
    })),
    'a batch equals its texts one by one, in order': answeredBy('classify', ({ spans }) => ({
      spans: spans.map((one, index) => (index ? (spans[index - 1] ?? []) : one)),
    })),
    'an empty list and an empty text have no spans': changeSpans((spans, text) =>
      text ? spans : [{ label: 'O', start: 0, end: 0, score: 1 }],
    ),
    'every text is read': askedOf('classify', ({ texts }) => ({ texts: texts.filter((text) => text) })),
  },
})
