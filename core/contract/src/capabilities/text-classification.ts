import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { list } from './shape.js'

export interface TextClassificationRequest {
  /** One text, or a pair for models that compare. */
  inputs: { text: string; pair?: string }[]
}

export interface TextClassificationResult {
  /** For each input the scores of all labels in 0..1, best first. */
  labels: { label: string; score: number }[][]
}

/** Labels whole texts. */
export interface TextClassificationCapability {
  classify(request: TextClassificationRequest, call: Call): Promise<TextClassificationResult>
}

export const textClassification = capability<TextClassificationCapability>()('text-classification', {
  guarded: { reason: 'what detectors are built on; its output holds labels only' },
  methods: {
    classify: {
      kind: 'call',
      request: { inputs: list({ text: 'text', 'pair?': 'text' }) },
      result: { labels: list(list({ label: opaque('from the model’s files'), score: 'number' })) },
    },
  },
})
