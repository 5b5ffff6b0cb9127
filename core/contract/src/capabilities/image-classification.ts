import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { bytes, list } from './shape.js'

export interface ImageClassificationRequest {
  images: { image: Uint8Array; mediaType: string }[]
  /** Maximum number of labels per image. */
  top?: number
}

/** Labels images. */
export interface ImageClassificationCapability {
  /**
   * For each image its labels with scores in 0..1, best first.
   * @throws invalid_request with the field of an image that cannot be read (`images[3].image`); overloaded
   */
  classify(request: ImageClassificationRequest, call: Call): Promise<{ labels: { label: string; score: number }[][] }>
}

export const imageClassification = capability<ImageClassificationCapability>()('image-classification', {
  guarded: { reason: 'what other plugins are built on; its output holds labels only' },
  methods: {
    classify: {
      kind: 'call',
      request: {
        images: list({ image: bytes('pixels: read by the model only'), mediaType: opaque('from the bytes') }),
        'top?': 'number',
      },
      result: { labels: list(list({ label: opaque('from the model’s files'), score: 'number' })) },
    },
  },
})
