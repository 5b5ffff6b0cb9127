/** The checks of the specification, each with its own path and field names. */

import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import type { Check, Finding, Inspected, ReplaceMethod } from '@sallyport/core'
import { wireScore } from '../../dialects/values.js'
import { refuseUnknownTypes } from '../../safeguards/detectors.js'
import { checkOwnOptions } from '../../safeguards/placement.js'
import { replacingSchemas } from '../../safeguards/requested-checks.js'
import {
  objectOf,
  envelopeFields,
  listOf,
  nonEmptyText,
  oneOrManyTexts,
  opaque,
  score,
  text,
} from '../../schemas/common.js'
import type { Schema } from '../../schemas/schema.js'
import { json } from '../answer.js'
import { post } from '../body-routes.js'
import type { Exchange } from '../exchange.js'
import type { Route, RouteSettings } from '../route.js'
import { finding, position, wireClaims, wireFindings } from './findings.js'
import { detectorsOf, inspectEach } from './inspect.js'
import type { DetectorOptions } from './inspect.js'

type Properties = Readonly<Record<string, Schema>>

interface CheckRouteDefinition<Body> {
  readonly path: string
  readonly check: Check
  readonly summary: string
  /** The `object` of answers, and the prefix of their ids. */
  readonly object: string
  readonly prefix: string
  /** The field with the text or texts. */
  readonly textField: 'text' | 'prompt'
  readonly request: (settings: RouteSettings) => Properties
  /** Optional request fields; they are the options of the check. */
  readonly options?: readonly string[]
  readonly answer: Properties
  /** Optional fields of the answer. */
  readonly optional?: readonly string[]
  /** Makes the options of the detector; undefined where none is asked. @throws invalid_request */
  readonly detectorOptions: (body: Body, exchange: Exchange) => DetectorOptions | undefined
  readonly answerOf: (inspected: Inspected, text: string, body: Body) => object
}

const checkRoute = <Body extends object>(definition: CheckRouteDefinition<Body>): Route => {
  const { path, check, summary, object, prefix, textField, options = [], detectorOptions, answerOf } = definition
  return post<Body>({
    ...{ path, dialects: ['specification'], capability: check.name, tag: 'Safety', summary },
    request: (settings) => objectOf(definition.request(settings), options),
    response: objectOf({
      ...envelopeFields(object, false),
      checks: listOf(
        objectOf(
          {
            index: { type: 'integer' },
            status: { type: 'string', enum: ['success', 'skipped'] },
            ...definition.answer,
          },
          definition.optional,
        ),
      ),
    }),
    safeguards: checkOwnOptions(options),
    fields: { text: textField, findings: textField, method: 'replace_method' },
    handle: async (body, exchange) => {
      detectorsOf(exchange, check.name)
      const how = detectorOptions(body, exchange)
      const given = [(body as Record<string, string | string[]>)[textField] ?? []].flat()
      const convert = (inspected: Inspected, one: string, index: number) => ({
        ...{ index, ...answerOf(inspected, one, body) },
        status: 'success',
      })
      const checks = how
        ? await inspectEach(exchange, check.name, given, { origin: 'user', ...how }, convert)
        : given.map((_, index) => ({ index, status: 'skipped' }))
      return json({ ...exchange.envelope(prefix, object), checks })
    },
  })
}

const explanation: Schema = { ...opaque('made by the detector from templates'), description: 'for a person' }

const claim = objectOf({
  start: position,
  end: position,
  score: { ...score, description: '1 is consistent' },
  support: {
    ...listOf(objectOf({ start: position, end: position })),
    description: 'the sentences of the reference that support the claim most, the best first',
  },
  differences: {
    ...listOf({ type: 'string', enum: ['number', 'name', 'date', 'negation', 'opposite'] }),
    description: 'how the claim differs from the supporting sentences',
  },
})

const positions = (text: string, findings: readonly Finding[]) => ({
  pii_types_and_positions: wireFindings(text, findings),
  ...(findings.length ? {} : { prompt: text }),
})

export const specificationCheckRoutes: readonly Route[] = [
  checkRoute<{ reference: string }>({
    path: '/factuality',
    check: factuality,
    summary: 'Compare a text with a reference',
    ...{ object: 'factuality.check', prefix: 'fact', textField: 'text' },
    request: () => ({ reference: nonEmptyText, text: nonEmptyText }),
    answer: { score: { ...score, description: '1 is consistent' }, explanation, claims: listOf(claim) },
    optional: ['claims'],
    detectorOptions: ({ reference }) => ({ reference }),
    answerOf: (inspected, text, { reference }) => ({
      // Detectors report the bad end as 1.
      score: wireScore(1 - inspected.score),
      explanation: inspected.explanation,
      ...(inspected.claims && { claims: wireClaims(text, reference, inspected.claims) }),
    }),
  }),
  checkRoute({
    path: '/toxicity',
    check: toxicity,
    summary: 'Detect toxic text',
    ...{ object: 'toxicity.check', prefix: 'toxi', textField: 'text' },
    request: () => ({ text: nonEmptyText }),
    answer: { score: { ...score, description: '1 is toxic' }, explanation, findings: listOf(finding) },
    detectorOptions: () => ({}),
    answerOf: (inspected, text) => ({
      score: wireScore(inspected.score),
      explanation: inspected.explanation,
      findings: wireFindings(text, inspected.findings),
    }),
  }),
  checkRoute<{ detect: boolean }>({
    path: '/injection',
    check: injection,
    summary: 'Detect prompts that try to override instructions',
    ...{ object: 'injection_check', prefix: 'injection', textField: 'prompt' },
    request: ({ inputs }) => ({ prompt: oneOrManyTexts(inputs), detect: { type: 'boolean' } }),
    answer: { probability: score, explanation, findings: listOf(finding) },
    optional: ['probability', 'explanation', 'findings'],
    detectorOptions: ({ detect }) => (detect ? {} : undefined),
    answerOf: (inspected, text) => ({
      probability: wireScore(inspected.score),
      explanation: inspected.explanation,
      findings: wireFindings(text, inspected.findings),
    }),
  }),
  checkRoute<{ replace: boolean; replace_method?: ReplaceMethod; entity_list?: string[] }>({
    path: '/PII',
    check: pii,
    summary: 'Find personal information, or replace it',
    ...{ object: 'pii_check', prefix: 'pii', textField: 'prompt' },
    request: ({ inputs }) => ({
      prompt: oneOrManyTexts(inputs),
      replace: { type: 'boolean' },
      replace_method: replacingSchemas.method,
      entity_list: replacingSchemas.ignored,
    }),
    options: ['replace_method', 'entity_list'],
    answer: {
      new_prompt: { ...text, description: 'with "replace": true' },
      pii_types_and_positions: listOf(finding),
      prompt: { ...text, description: 'where nothing was found' },
    },
    optional: ['new_prompt', 'pii_types_and_positions', 'prompt'],
    detectorOptions: ({ replace, replace_method: method = 'random', entity_list: ignored = [] }, exchange) => {
      refuseUnknownTypes(ignored, detectorsOf(exchange, pii.name), 'entity_list')
      return { ignore: ignored.map((name) => name.toUpperCase()), ...(replace && { replace: method }) }
    },
    answerOf: ({ findings, replaced }, given, { replace }) =>
      replace ? { new_prompt: replaced } : positions(given, findings),
  }),
]
