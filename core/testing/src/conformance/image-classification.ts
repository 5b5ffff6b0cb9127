import assert from 'node:assert/strict'
import type { ImageClassificationCapability, ImageClassificationRequest } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { brokenImages, hugePng, widePng, png } from './images.js'
import { rejectsWith, testCall, valueUnless } from './support.js'
import { assertBestFirst, assertSameLabels } from './scores.js'
import type { Labelled } from './scores.js'

const classify = async (
  service: ImageClassificationCapability,
  images: readonly Uint8Array[],
  more: Partial<ImageClassificationRequest> = {},
) => {
  const request = { images: images.map((image) => ({ image, mediaType: 'image/png' })), ...more }
  return (await service.classify(request, testCall())).labels
}

export const imageClassificationCases: readonly ConformanceCase<ImageClassificationCapability>[] = [
  ...callCases<ImageClassificationCapability, ImageClassificationRequest, { labels: Labelled[][] }>({
    method: 'classify',
    request: (_, which) => ({ images: [{ image: which ? widePng : png, mediaType: 'image/png' }] }),
    invoke: (service, request, call) => service.classify(request, call),
    assertSame: (actual, expected) => assertSameLabels(actual.labels.flat(), expected.labels.flat()),
  }),
  ...cases<ImageClassificationCapability>({
    'every image has labels, best first, with scores in 0..1': async (service) => {
      const labels = await classify(service, [png, widePng])
      assert.equal(labels.length, 2)
      for (const one of labels) {
        assert.ok(one.length > 0, 'an image has no labels')
        assertBestFirst(one)
      }
    },
    'a batch equals its images one by one, in order': async (service) => {
      const labels = await classify(service, [png, widePng])
      assertSameLabels(labels[0] ?? [], (await classify(service, [png]))[0] ?? [])
      assertSameLabels(labels[1] ?? [], (await classify(service, [widePng]))[0] ?? [])
    },
    'top cuts the labels': async (service) => {
      const [all = []] = await classify(service, [widePng])
      const [best = []] = await classify(service, [widePng], { top: 1 })
      assert.equal(best.length, 1)
      assertSameLabels(best, all.slice(0, 1))
    },
    'the bytes decide about the format, not the media type': async (service) => {
      const [mistyped = []] = await classify(service, [], { images: [{ image: png, mediaType: 'image/jpeg' }] })
      assertSameLabels(mistyped, (await classify(service, [png]))[0] ?? [])
    },
    'a file that is not an image is refused with invalid_request, and named': async (service) => {
      for (const bytes of Object.values(brokenImages)) {
        const { details } = await rejectsWith(classify(service, [png, bytes]), 'invalid_request')
        assert.equal(details['field'], 'images[1].image')
      }
    },
    'a small file that claims to be a huge image is answered or refused': async (service) => {
      const huge = classify(service, [hugePng()])
      const labels = await valueUnless(huge, 'payload_too_large', 'invalid_request')
      if (labels) assertBestFirst(labels[0] ?? [])
    },
    'an empty list has no labels': async (service) => assert.deepEqual(await classify(service, []), []),
  }),
]
