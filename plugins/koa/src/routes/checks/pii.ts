import { inspectionsAtOnce, mapBounded, pii, soundReplacement } from '@sallyport/core'
import type { Finding, ReplaceMethod } from '@sallyport/core'
import { optionsOfItsOwn } from '../../body/misplaced.js'
import { json } from '../answer.js'
import { refuseUnknownTypes } from '../entity-types.js'
import { post } from '../route.js'
import type { Route } from '../route.js'
import { oneOrManyTexts } from '../schemas/common.js'
import { safeguardInput } from '../schemas/generation.js'
import { askDetector, inspectWith } from './ask-detector.js'
import { piiChecks } from './schemas.js'
import { wireFindings } from './wire-findings.js'

interface PiiBody {
  prompt: string | string[]
  replace: boolean
  replace_method?: ReplaceMethod
  entity_list?: string[]
}

const { pii_replace_method: replaceMethod = {}, entity_list: entityList = {} } = safeguardInput.properties ?? {}

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
      replace_method: replaceMethod,
      entity_list: entityList,
    },
  }),
  response: piiChecks,
  safeguards: optionsOfItsOwn(['replace_method', 'entity_list']),
  fields: { text: 'prompt', findings: 'prompt', method: 'replace_method' },
  handle: async ({ prompt, replace, replace_method: method = 'random', entity_list: ignored = [] }, exchange) => {
    const { descriptor, service } = exchange.choose(pii)
    refuseUnknownTypes(ignored, descriptor, 'entity_list')
    const ignore = ignored.map((name) => name.toUpperCase())
    const check = async (text: string, index: number) => {
      const inspection = await inspectWith(pii, service, { text, origin: 'user', ignore }, exchange)
      // Of a detector that ignores nothing.
      const findings = inspection.findings.filter(({ type }) => !ignore.includes(type))
      if (!replace) return { index, ...positions(text, findings), status: 'success' }
      const request = { text, findings, method }
      const { text: replaced } = await askDetector(pii, async () =>
        soundReplacement(await service.replace(request, exchange.call())),
      )
      return { index, new_prompt: replaced, status: 'success' }
    }
    const checks = await mapBounded([prompt].flat(), inspectionsAtOnce, check)
    return json({ ...exchange.envelope('pii', 'pii_check'), checks })
  },
})

const positions = (text: string, findings: readonly Finding[]) => ({
  pii_types_and_positions: wireFindings(text, findings),
  ...(findings.length ? {} : { prompt: text }),
})
