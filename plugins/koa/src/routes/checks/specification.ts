/** The checks of the specification, each with its own path and field names. */

import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import type { Check, Finding, Inspected } from '@sallyport/core'
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
import type { BodyOf, Schema } from '../../schemas/schema.js'
import { json } from '../answer.js'
import { post } from '../body-routes.js'
import type { Exchange } from '../exchange.js'
import type { Route, RouteSettings } from '../route.js'
import { finding, position, wireClaims, wireFindings } from './findings.js'
import { detectorsOf, inspectEach } from './inspect.js'
import type { DetectorOptions } from './inspect.js'

type Properties = Readonly<Record<string, Schema>>

interface CheckRouteDefinition<Request extends Schema> {
  readonly path: string
  readonly check: Check
  readonly summary: string
  /** The `object` of answers, and the prefix of their ids. */
  readonly object: string
  readonly prefix: string
  /** The field with the text or texts. */
  readonly textField: 'text' | 'prompt'
  readonly request: (settings: RouteSettings) => Request
  /** The optional fields of the request, which are options of the check. */
  readonly options?: readonly string[]
  readonly answer: Properties
  /** Optional fields of the answer. */
  readonly optional?: readonly string[]
  /** Makes the options of the detector; undefined where none is asked. @throws invalid_request */
  readonly detectorOptions: (body: BodyOf<Request>, exchange: Exchange) => DetectorOptions | undefined
  readonly answerOf: (inspected: Inspected, text: string, body: BodyOf<Request>) => object
}

const checkRoute = <Request extends Schema>(definition: CheckRouteDefinition<Request>): Route => {
  const { path, check, summary, object, prefix, textField, options = [], detectorOptions, answerOf } = definition
  return post({
    ...{ path, dialects: ['specification'], capability: check.name, tag: 'Safety', summary },
    request: definition.request,
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
        index,
        ...answerOf(inspected, one, body),
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

const replacingOptions = ['replace_method', 'entity_list'] as const

export const specificationCheckRoutes: readonly Route[] = [
  checkRoute({
    path: '/factuality',
    check: factuality,
    summary: 'Compare a text with a reference',
    ...{ object: 'factuality.check', prefix: 'fact', textField: 'text' },
    request: () => objectOf({ reference: nonEmptyText, text: nonEmptyText }),
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
    request: () => objectOf({ text: nonEmptyText }),
    answer: { score: { ...score, description: '1 is toxic' }, explanation, findings: listOf(finding) },
    detectorOptions: () => ({}),
    answerOf: (inspected, text) => ({
      score: wireScore(inspected.score),
      explanation: inspected.explanation,
      findings: wireFindings(text, inspected.findings),
    }),
  }),
  checkRoute({
    path: '/injection',
    check: injection,
    summary: 'Detect prompts that try to override instructions',
    ...{ object: 'injection_check', prefix: 'injection', textField: 'prompt' },
    request: ({ inputs }) => objectOf({ prompt: oneOrManyTexts(inputs), detect: { type: 'boolean' } }),
    answer: { probability: score, explanation, findings: listOf(finding) },
    optional: ['probability', 'explanation', 'findings'],
    detectorOptions: ({ detect }) => (detect ? {} : undefined),
    answerOf: (inspected, text) => ({
      probability: wireScore(inspected.score),
      explanation: inspected.explanation,
      findings: wireFindings(text, inspected.findings),
    }),
  }),
  checkRoute({
    path: '/PII',
    check: pii,
    summary: 'Find personal information, or replace it',
    ...{ object: 'pii_check', prefix: 'pii', textField: 'prompt' },
    request: ({ inputs }) =>
      objectOf(
        {
          prompt: oneOrManyTexts(inputs),
          replace: { type: 'boolean' },
          replace_method: replacingSchemas.method,
          entity_list: replacingSchemas.ignored,
        },
        replacingOptions,
      ),
    options: replacingOptions,
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
