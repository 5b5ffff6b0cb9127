import type { Schema } from '../body/schema.js'
import { finding, position, score } from '../routes/checks/schemas.js'
import { answer, envelopeProperties, listOf, opaque, text } from '../routes/schemas/common.js'

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

const explanation: Schema = { ...opaque('made by the detector from templates'), description: 'for a person' }

const claim = answer({
  start: position,
  end: position,
  score: { ...score, description: '1 is consistent' },
  support: {
    ...listOf(answer({ start: position, end: position })),
    description: 'the sentences of the reference that say most of it, the best first',
  },
  differences: {
    ...listOf({ type: 'string', enum: ['number', 'name', 'date', 'negation', 'opposite'] }),
    description: 'what it has that they have not, or have otherwise',
  },
})

export const factualityChecks = checks(
  'factuality.check',
  { score: { ...score, description: '1 is consistent' }, explanation, claims: listOf(claim) },
  ['claims'],
)
export const toxicityChecks = checks('toxicity.check', {
  score: { ...score, description: '1 is toxic' },
  explanation,
  findings: listOf(finding),
})
export const injectionChecks = checks(
  'injection_check',
  { probability: score, explanation, findings: listOf(finding) },
  ['probability', 'explanation', 'findings'],
)

export const piiChecks = checks(
  'pii_check',
  {
    new_prompt: { ...text, description: 'with "replace": true' },
    pii_types_and_positions: listOf(finding),
    prompt: { ...text, description: 'where nothing was found' },
  },
  ['new_prompt', 'pii_types_and_positions', 'prompt'],
)
