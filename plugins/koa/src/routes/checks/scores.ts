/** Factuality and toxicity: one text, one score. */

import { factuality, toxicity } from '@sallyport/checks'
import { soundComparison } from '@sallyport/guard'
import { optionsOfItsOwn } from '../../body/misplaced.js'
import { wireScore } from '../../dialects/numbers.js'
import { json } from '../answer.js'
import { post } from '../body-routes.js'
import type { Route } from '../route.js'
import { nonEmptyText } from '../schemas/common.js'
import { inspectWith } from './ask-detector.js'
import { factualityChecks, toxicityChecks } from './schemas.js'
import { wireClaims, wireFindings } from './wire-findings.js'

const check = (score: number, told: object) => ({
  checks: [{ index: 0, score: wireScore(score), ...told, status: 'success' }],
})

export const factualityRoute: Route = post<{ reference: string; text: string }>({
  path: '/factuality',
  dialects: ['specification'],
  capability: factuality.name,
  tag: 'Safety',
  summary: 'Compare a text with a reference',
  request: () => ({
    type: 'object',
    required: ['reference', 'text'],
    properties: { reference: nonEmptyText, text: nonEmptyText },
  }),
  response: factualityChecks,
  safeguards: optionsOfItsOwn(),
  handle: async ({ reference, text }, exchange) => {
    const { service } = exchange.choose(factuality)
    const request = { text, reference, origin: 'user' } as const
    const { score, explanation, claims } = await inspectWith(
      factuality,
      service,
      request,
      exchange,
      (inspection, reading) => soundComparison(inspection, reading, reference),
    )
    const told = { explanation, ...(claims && { claims: wireClaims(text, reference, claims) }) }
    // Detectors report the bad end as 1.
    return json({ ...exchange.envelope('fact', 'factuality.check'), ...check(1 - score, told) })
  },
})

export const toxicityRoute: Route = post<{ text: string }>({
  path: '/toxicity',
  dialects: ['specification'],
  capability: toxicity.name,
  tag: 'Safety',
  summary: 'Tell toxic text',
  request: () => ({ type: 'object', required: ['text'], properties: { text: nonEmptyText } }),
  response: toxicityChecks,
  safeguards: optionsOfItsOwn(),
  handle: async ({ text }, exchange) => {
    const { service } = exchange.choose(toxicity)
    const { score, explanation, findings } = await inspectWith(toxicity, service, { text, origin: 'user' }, exchange)
    const told = { explanation, findings: wireFindings(text, findings) }
    return json({ ...exchange.envelope('toxi', 'toxicity.check'), ...check(score, told) })
  },
})
