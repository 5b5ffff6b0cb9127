import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { list } from './shape.js'

export interface ClassifiedSpan {
  label: string
  /** Half-open span in UTF-16 code units of the input. */
  start: number
  end: number
  /** In 0..1. */
  score: number
}

/** Labels spans inside texts (named entities). */
export interface TokenClassificationCapability {
  /** Spans per input, in order of their start. */
  classify(request: { texts: string[] }, call: Call): Promise<{ spans: ClassifiedSpan[][] }>
}

export const tokenClassification = capability<TokenClassificationCapability>()('token-classification', {
  guarded: { reason: 'what detectors are built on; its output holds labels and positions only' },
  methods: {
    classify: {
      kind: 'call',
      request: { texts: list('text') },
      result: {
        spans: list(list({ label: opaque('from the model’s files'), start: 'number', end: 'number', score: 'number' })),
      },
    },
  },
})
