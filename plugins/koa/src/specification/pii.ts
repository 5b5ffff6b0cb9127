import { pii } from '@sallyport/checks'
import type { Finding, ReplaceMethod } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import { optionsOfItsOwn } from '../body/misplaced.js'
import { replacingSchemas } from '../body/safeguards.js'
import { json } from '../routes/answer.js'
import { post } from '../routes/body-routes.js'
import { inspectionsAtOnce } from '../routes/checks/inspections-at-once.js'
import { wireFindings } from '../routes/checks/wire-findings.js'
import { refuseUnknownTypes } from '../routes/entity-types.js'
import type { Route } from '../routes/route.js'
import { oneOrManyTexts } from '../routes/schemas/common.js'
import { piiChecks } from './schemas.js'

interface PiiBody {
  prompt: string | string[]
  replace: boolean
  replace_method?: ReplaceMethod
  entity_list?: string[]
}

export const piiRoute: Route = post<PiiBody>({
  path: '/PII',
  dialects: ['specification'],
  capability: pii.name,
  tag: 'Safety',
  summary: 'Find personal information, or replace it',
  request: ({ inputs }) => ({
    type: 'object',
    required: ['prompt', 'replace'],
    properties: {
      prompt: oneOrManyTexts(inputs),
      replace: { type: 'boolean' },
      replace_method: replacingSchemas.method,
      entity_list: replacingSchemas.ignored,
    },
  }),
  response: piiChecks,
  safeguards: optionsOfItsOwn(['replace_method', 'entity_list']),
  fields: { text: 'prompt', findings: 'prompt', method: 'replace_method' },
  handle: async ({ prompt, replace, replace_method: method = 'random', entity_list: ignored = [] }, exchange) => {
    refuseUnknownTypes(ignored, exchange.detectors(pii.name), 'entity_list')
    const asked = { origin: 'user', ignore: ignored.map((name) => name.toUpperCase()) } as const
    const check = async (text: string, index: number) => {
      const inspected = await exchange.inspect(pii.name, text, { ...asked, ...(replace && { replace: method }) })
      const told = replace ? { new_prompt: inspected.replaced } : positions(text, inspected.findings)
      return { index, ...told, status: 'success' }
    }
    const checks = await mapBounded([prompt].flat(), inspectionsAtOnce, check)
    return json({ ...exchange.envelope('pii', 'pii_check'), checks })
  },
})

const positions = (text: string, findings: readonly Finding[]) => ({
  pii_types_and_positions: wireFindings(text, findings),
  ...(findings.length ? {} : { prompt: text }),
})
