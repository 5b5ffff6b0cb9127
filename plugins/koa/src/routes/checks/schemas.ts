import type { Schema } from '../../body/schema.js'
import { answer, envelopeProperties, listOf, opaque, text } from '../schemas/common.js'

const score: Schema = { type: 'number', minimum: 0, maximum: 1 }
const position: Schema = { type: 'integer', description: 'in Unicode code points of the prompt' }

/** An answer with one check per text. */
const checks = (
  object: string,
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema =>
  answer({
    ...envelopeProperties(object, false),
    checks: listOf(
      answer(
        { index: { type: 'integer' }, status: { type: 'string', enum: ['success', 'skipped'] }, ...properties },
        optional,
      ),
    ),
  })

export const factualityChecks = checks('factuality.check', { score: { ...score, description: '1 is consistent' } })
export const toxicityChecks = checks('toxicity.check', { score: { ...score, description: '1 is toxic' } })
export const injectionChecks = checks('injection_check', { probability: score }, ['probability'])

export const piiChecks = checks(
  'pii_check',
  {
    new_prompt: { ...text, description: 'with "replace": true' },
    pii_types_and_positions: listOf(
      answer({ start: position, end: position, type: opaque('the name of an entity type'), score }),
    ),
    prompt: { ...text, description: 'where nothing was found' },
  },
  ['new_prompt', 'pii_types_and_positions', 'prompt'],
)
