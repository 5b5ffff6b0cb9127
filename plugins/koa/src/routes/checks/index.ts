/** Routes that run a single check, and that list the available checks. */

import { failure } from '@sallyport/core'
import type { CheckDescription, Inspected, ReplaceMethod } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { optionsChecker, requiring } from '@sallyport/kit/schemas'
import type { JsonSchema } from '@sallyport/kit/schemas'
import { didYouMean } from '@sallyport/kit/text'
import { checkOwnOptions } from '../../safeguards/placement.js'
import type { JsonObject } from '../../schemas/schema.js'
import { wireScore } from '../../dialects/values.js'
import { isSpecificationCheck } from '../../safeguards/specification-checks.js'
import { json } from '../answer.js'
import { post } from '../body-routes.js'
import type { Exchange } from '../exchange.js'
import { omitUndefined } from '../generation.js'
import { get } from '../route.js'
import type { Route } from '../route.js'
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
import { finding, wireFindings } from './findings.js'
import { inspectEach } from './inspect.js'
import { moderationRoute } from './moderation.js'
import { specificationCheckRoutes } from './specification.js'
import { invalidField } from '../../invalid-field.js'

const name = opaque('the name of a check')
const description = opaque('written by the author of the check')

const listing = objectOf({
  object: { type: 'string', enum: ['list'] },
  data: listOf(
    objectOf({
      ...{ id: name, object: { type: 'string', enum: ['check'] }, check: name },
      kind: { type: 'string', enum: ['score', 'spans', 'comparison'] },
      stages: { type: 'object', propertyNames: opaque('input or output'), additionalProperties: description },
      threshold: score,
      methods: listOf({ type: 'string', enum: ['random', 'fake', 'category', 'mask', 'remove'] }),
      options: opaque('a JSON Schema of the author of the check', { type: 'object' }),
    }),
  ),
})

/** How findings are replaced. */
const replacingOptions = (methods: readonly ReplaceMethod[]) => ({
  action: { enum: ['block', 'replace'], default: 'block' },
  method: { enum: methods, default: methods[0] },
})

const ignoreOption = { ignore: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 256, default: [] } }

const schemaOf = ({ kind, methods, options, required }: CheckDescription): JsonSchema => ({
  type: 'object',
  properties: {
    ...(methods.length && replacingOptions(methods)),
    ...(kind === 'spans' && ignoreOption),
    ...options,
  },
  ...requiring(required),
  additionalProperties: false,
})

const schemas = new WeakMap<CheckDescription, JsonSchema>()

/** Returns the same schema object for each check, because compiled validators are cached by object identity. */
const optionsOf = (check: CheckDescription): JsonSchema => {
  const schema = schemas.get(check) ?? schemaOf(check)
  schemas.set(check, schema)
  return schema
}

const listRoute: Route = get({
  path: '/checks',
  tag: 'Safety',
  summary: 'List the checks that requests may ask for',
  response: listing,
  handle: ({ context: { kernel } }) =>
    json({
      object: 'list',
      data: Array.from(kernel.checks.values(), (check) => ({
        ...{ id: check.name, object: 'check', check: check.check, kind: check.kind, stages: check.stages },
        ...{ threshold: check.threshold, methods: check.methods, options: optionsOf(check) },
      })),
    }),
})

const checkRoute: Route = post({
  path: '/checks/:check',
  tag: 'Safety',
  summary: 'Ask one check about texts',
  request: ({ inputs }) =>
    objectOf(
      {
        prompt: oneOrManyTexts(inputs),
        reference: { ...nonEmptyText, description: 'what a comparison compares the texts with' },
        options: {
          ...opaque('of the check: its schema, which GET /checks lists, refuses all else', { type: 'object' }),
          description: 'as GET /checks lists them',
        },
      },
      ['reference', 'options'],
    ),
  response: objectOf({
    ...envelopeFields('check', false),
    check: name,
    checks: listOf(
      objectOf(
        {
          index: { type: 'integer' },
          status: { type: 'string', enum: ['success'] },
          flagged: { type: 'boolean' },
          score,
          reason: opaque('a few words of the detector’s'),
          findings: listOf(finding),
          replaced: { ...text, description: 'with the action "replace"' },
        },
        ['score', 'reason', 'findings', 'replaced'],
      ),
    ),
  }),
  safeguards: checkOwnOptions(['reference', 'options']),
  fields: { text: 'prompt' },
  handle: async ({ prompt, reference, options = {}, ...others }, exchange) => {
    const check = checkOfPath(exchange)
    refuseOptionsOutside(check, others)
    if (check.kind === 'comparison' && reference === undefined)
      throw invalidField('reference', 'is required: give what to compare the texts with')
    const detectorOptions = { origin: 'user', ...omitUndefined({ reference }), ...read(check, options) } as const
    const convert = (inspected: Inspected, one: string, index: number) => ({
      index,
      status: 'success',
      ...answerOf(check, one, inspected),
    })
    const checks = await inspectEach(exchange, check.name, [prompt].flat(), detectorOptions, convert)
    return json({ ...exchange.envelope('check', 'check'), check: check.name, checks })
  },
})

/** Refuses options outside `options`, where they would silently be ignored. @throws invalid_request */
const refuseOptionsOutside = (check: CheckDescription, others: object) => {
  const { properties = {} } = optionsOf(check)
  const field = Object.keys(others).find((name) => Object.hasOwn(properties as object, name))
  if (field !== undefined) throw invalidField(field, `must be inside "options"`)
}

/** @throws safeguard_unavailable for a check of the specification that no plugin brings, invalid_request */
const checkOfPath = ({ context: { kernel, params } }: Exchange): CheckDescription => {
  const { check: name = '' } = params
  const check = kernel.checks.get(name)
  if (check) return check
  if (isSpecificationCheck(name)) throw failure('safeguard_unavailable', { name })
  const known = [...kernel.checks.keys()]
  const problem = `is not a check${didYouMean(name, known)}; there are: ${known.join(', ') || 'none'}`
  throw invalidField('check', problem)
}

/** Maximum bytes of JSON: detectors compile these options anew for each request, which takes milliseconds. */
const maxOptionBytes = 16_384

/** @throws invalid_request with the option that is wrong */
const read = (check: CheckDescription, given: JsonObject) => {
  const bytes = Buffer.byteLength(JSON.stringify(given))
  if (bytes > maxOptionBytes) {
    const problem = `take ${bytes} bytes of JSON, and may take ${maxOptionBytes}: longer lists belong in the configuration`
    throw invalidField('options', problem)
  }
  const { value, problems } = optionsChecker(optionsOf(check))(given, ['options'])
  const [first] = problems
  if (first) throw invalidField(showPath(first.path), first.problem)
  const { action, method, ignore, ...own } = value as Record<string, unknown>
  const isGiven = ([option]: [string, unknown]) => check.required.length > 0 || Object.hasOwn(given, option)
  const chosen = Object.fromEntries(Object.entries(own).filter(isGiven))
  return {
    ...(action === 'replace' ? { replace: method as ReplaceMethod } : {}),
    ...(Array.isArray(ignore) && ignore.length ? { ignore: ignore as string[] } : {}),
    ...(Object.keys(chosen).length ? { options: chosen } : {}),
  }
}

const answerOf = ({ kind }: CheckDescription, given: string, inspected: Inspected) => {
  const { flagged, replaced, reason, findings } = inspected
  if (replaced !== undefined) return { flagged, replaced }
  return {
    flagged,
    ...(kind === 'spans' ? {} : { score: wireScore(inspected.score) }),
    ...(reason === undefined ? {} : { reason }),
    findings: wireFindings(given, findings),
  }
}

export const checkRoutes: readonly Route[] = [...specificationCheckRoutes, moderationRoute, listRoute, checkRoute]
