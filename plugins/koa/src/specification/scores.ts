/** Factuality and toxicity: one text, one score. */

import { factuality, toxicity } from '@sallyport/checks'
import { optionsOfItsOwn } from '../body/misplaced.js'
import { wireScore } from '../dialects/numbers.js'
import { json } from '../routes/answer.js'
import { post } from '../routes/body-routes.js'
import type { Route } from '../routes/route.js'
import { nonEmptyText } from '../routes/schemas/common.js'
import { factualityChecks, toxicityChecks } from './schemas.js'
import { wireClaims, wireFindings } from '../routes/checks/wire-findings.js'

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
    const request = { reference, origin: 'user' } as const
    const { score, explanation, claims } = await exchange.inspect(factuality.name, text, request)
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
    const { score, explanation, findings } = await exchange.inspect(toxicity.name, text, { origin: 'user' })
    const told = { explanation, findings: wireFindings(text, findings) }
    return json({ ...exchange.envelope('toxi', 'toxicity.check'), ...check(score, told) })
  },
})
