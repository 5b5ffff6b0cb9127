import type { Schema } from './schema.js'
import { objectOf, listOf, opaque, score } from './common.js'

const position: Schema = {
  type: 'integer',
  description:
    'in Unicode code points of the field before anything was replaced; of a document, of what it says without mark-up',
}

const type = opaque('the name of a type of finding')
const counts: Schema = { type: 'object', propertyNames: type, additionalProperties: { type: 'integer' } }
const field = opaque('a path of names that the API declares')

const span = objectOf(
  {
    ...{ field, type, start: position, end: position, score },
    page: { type: 'integer', minimum: 1, description: 'of a document with pages' },
    heading: {
      type: 'integer',
      minimum: 1,
      description: 'the number of the heading it stands in, or of the last one above it, from 1',
    },
  },
  ['page', 'heading'],
)

export const spans: Schema = listOf(span)

/** The receipt in the body of a guarded answer, where the caller asks for one. */
export const receipts: Schema = {
  ...listOf(
    objectOf(
      {
        check: opaque('the name of a check'),
        stage: { type: 'string', enum: ['input', 'output'] },
        verdict: { type: 'string', enum: ['pass', 'replace', 'block', 'unavailable'] },
        mode: { type: 'string', enum: ['enforce', 'shadow'] },
        reason: { ...opaque('a few words of the server’s or the detector’s'), description: 'why there is no score' },
        score,
        detector: opaque('the name and version of a detector'),
        latency_ms: { type: 'number', minimum: 0 },
        window: { type: 'string', enum: ['answer'], description: 'the answer was checked as a whole' },
        findings: { ...counts, description: 'how many of each type' },
        unrestored: {
          ...counts,
          description: 'how many substitutes of each type stay in the answer, where the policy puts originals back',
        },
        spans: {
          ...spans,
          description: 'the first findings in the request, in a document, or in what a tool said (field output)',
        },
      },
      ['reason', 'score', 'detector', 'window', 'unrestored', 'spans'],
    ),
  ),
  description: 'what the safeguards decided; with the header x-safeguards-receipt: true',
}

/** The schema of an answer, or of an event, that may carry receipts. */
export const withReceipts = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, safeguards: receipts },
})
