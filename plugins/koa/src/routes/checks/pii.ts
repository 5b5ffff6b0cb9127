import { acrossIfOffered, inspectionsAtOnce, replaceInReadings, soundInspection } from '@sallyport/guard'
import type { AskAcross } from '@sallyport/guard'
import { isSallyportError } from '@sallyport/core'
import type { Call, Finding, Inspection, SpanDetector, ReplaceMethod, Served } from '@sallyport/core'
import { pii } from '@sallyport/checks'
import { mapBounded } from '@sallyport/kit/async'
import { optionsOfItsOwn } from '../../body/misplaced.js'
import { json } from '../answer.js'
import { refuseUnknownTypes } from '../entity-types.js'
import type { Exchange } from '../exchange.js'
import { post } from '../body-routes.js'
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
    const replacing = (text: string) =>
      askDetector(pii, () =>
        replaceInReadings(text, { method, ignore }, asUser(service), callOf(exchange)).catch(orItsCause),
      )
    const across: AskAcross = {
      ignore,
      inspect: (asked) => acrossIfOffered(() => service.inspectAcross(asked, exchange.call())),
    }
    const check = async (text: string, index: number) => {
      if (replace) return { index, new_prompt: await replacing(text), status: 'success' }
      const request = { text, origin: 'user', ignore } as const
      const { findings } = await inspectWith(pii, service, request, exchange, without(ignore), across)
      return { index, ...positions(text, findings), status: 'success' }
    }
    const checks = await mapBounded([prompt].flat(), inspectionsAtOnce, check)
    return json({ ...exchange.envelope('pii', 'pii_check'), checks })
  },
})

/** Of a detector that ignores nothing, too. */
const without = (ignore: readonly string[]) => (inspection: Inspection, text: string) => {
  const { findings, ...told } = soundInspection(inspection, text)
  return { ...told, findings: findings.filter(({ type }) => !ignore.includes(type)) }
}

/** Whose texts are checked by themselves. */
const asUser = (service: Served<SpanDetector>): SpanDetector => ({
  inspect: (request, call) => service.inspect({ ...request, origin: 'user' }, call),
  inspectAcross: (request, call) => acrossIfOffered(() => service.inspectAcross(request, call)),
  replace: (request, call) => service.replace(request, call),
})

/** The kernel sets the deadline. */
const callOf = ({ context: { signal, requestId, identity } }: Exchange): Call => ({
  ...{ signal, requestId, tenant: identity.tenant },
  deadline: Infinity,
})

/** What the detector threw, which may be for clients. */
const orItsCause = (error: unknown): never => {
  throw isSallyportError(error) ? (error.cause ?? error) : error
}

const positions = (text: string, findings: readonly Finding[]) => ({
  pii_types_and_positions: wireFindings(text, findings),
  ...(findings.length ? {} : { prompt: text }),
})
