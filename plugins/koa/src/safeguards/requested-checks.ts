/** The checks that requests ask for: their schemas, and how they are read. */

import type { RequestedChecks, CheckDescription, Kernel, ReplaceMethod, Stage, RequestedCheck } from '@sallyport/core'
import { invalidField } from '../invalid-field.js'
import { opaque } from '../schemas/common.js'
import type { JsonObject, Schema } from '../schemas/schema.js'
import { detectorsForCallers, refuseUnknownTypes } from './detectors.js'
import { isSpecificationCheck, replaceMethods, specificationChecks } from './specification-checks.js'
import type { SpecificationCheck, CheckOption } from './specification-checks.js'

type CheckDescriptions = ReadonlyMap<string, CheckDescription>

const boolean: Schema = { type: 'boolean' }
const action: Schema = { type: 'string', enum: ['block', 'replace'], 'x-empty-is-absent': true }
const method = { type: 'string', enum: replaceMethods, 'x-empty-is-absent': true } as const

const ignored = {
  type: 'array',
  maxItems: 256,
  items: {
    ...opaque('the name of an entity type'),
    pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
    'x-allowed': 'the name of an entity type, such as EMAIL_ADDRESS',
  },
  description:
    'entity types that the check leaves alone, not those that it looks for: with ["PERSON"] names stay, and everything else is found',
} as const

/** The schemas of how findings are replaced, and of which types are ignored. */
export const replacingSchemas = { method, ignored }

const optionSchemas = ({ option, replacing }: SpecificationCheck): [string, Schema][] =>
  replacing
    ? [
        [option, action],
        [replacing.method.option, method],
        [replacing.ignore.option, ignored],
      ]
    : [[option, boolean]]

/** The schema of a check that is requested by its own name. */
const requestedCheckSchema = ({ kind, methods, stages }: CheckDescription, stage: Stage): Schema => {
  const description = stages[stage] ?? ''
  if (!methods.length) return { ...boolean, description }
  const ignore = { ...ignored, description: 'types of findings that the check leaves alone' }
  const findsSpans = kind === 'spans'
  return {
    type: ['boolean', 'string', 'object'],
    description,
    additionalProperties: false,
    required: ['action'],
    properties: { action, method: { type: 'string', enum: [...methods] }, ...(findsSpans && { ignore }) },
    'x-allowed': `true, false, "block", "replace" or an object {action, method${findsSpans ? ', ignore' : ''}}`,
  }
}

/** The checks of a stage that are not the specification's. */
const otherChecks = (checks: CheckDescriptions, stage: Stage): CheckDescription[] =>
  [...checks.values()].filter((check) => check.stages[stage] !== undefined && !isSpecificationCheck(check.name))

const container = (checks: CheckDescriptions, stage: Stage, description: string): Schema => ({
  type: 'object',
  additionalProperties: false,
  description,
  properties: {
    ...Object.fromEntries(specificationChecks.filter((check) => check.stage === stage).flatMap(optionSchemas)),
    ...Object.fromEntries(otherChecks(checks, stage).map((check) => [check.name, requestedCheckSchema(check, stage)])),
  },
})

/** The schemas of the fields `input` and `output` of requests. */
export const safeguardSchemas = (checks: CheckDescriptions) => ({
  input: container(checks, 'input', 'checks of what goes in'),
  output: container(checks, 'output', 'checks of what comes out'),
})

/** The schemas of forms: a file is checked in the output, so other checks than the specification's must have that stage. */
export const formSafeguardSchemas = (checks: CheckDescriptions) => {
  const { input, output } = safeguardSchemas(
    new Map([...checks].filter(([, { stages }]) => stages.output !== undefined)),
  )
  return { input: { ...input, description: 'checks of what goes in, and of what the file says' }, output }
}

/**
 * Reads the checks that a valid body requests; undefined for none.
 * @param fields the field of the body that holds the checks of each stage
 * @throws invalid_request
 */
export const requestedChecksIn = (
  fields: Readonly<Record<Stage, string>>,
  body: JsonObject,
  kernel: Kernel,
): RequestedChecks | undefined => {
  const requestedAt = (stage: Stage) => {
    const field = fields[stage]
    const options = (body[field] ?? {}) as JsonObject
    const specified = requestedSpecificationChecks(kernel, (check) => check.stage === stage, {
      value: ({ option }) => options[option],
      field: ({ option }) => `${field}.${option}`,
      mention: ({ option }) => `"${option}"`,
    })
    const others = otherChecks(kernel.checks, stage).flatMap(({ name }): [string, RequestedCheck][] =>
      options[name] === undefined ? [] : [[name, parseRequestedCheck(options[name], `${field}.${name}`)]],
    )
    return Object.fromEntries([...specified, ...others])
  }
  return nonEmptySafeguards({ input: requestedAt('input'), output: requestedAt('output') })
}

/** Drops empty stages; undefined where no check is requested. */
export const nonEmptySafeguards = (requested: RequestedChecks): RequestedChecks | undefined => {
  const stages = Object.entries(requested).filter(([, each]) => Object.keys(each).length)
  return stages.length ? Object.fromEntries(stages) : undefined
}

/** Reads the specification's options from a body or from headers. */
export interface OptionReader {
  /** The value, of the type that its schema says; undefined for an option that is absent. @throws invalid_request */
  readonly value: (specified: CheckOption) => unknown
  /** The name of the option as the field of an error, and within its message. */
  readonly field: (specified: CheckOption) => string
  readonly mention: (specified: CheckOption) => string
}

/**
 * @throws invalid_request for unknown types of findings, and for a method or types where the check itself is not
 * requested
 */
export const requestedSpecificationChecks = (
  kernel: Kernel,
  applies: (check: SpecificationCheck) => boolean,
  options: OptionReader,
): [string, RequestedCheck][] =>
  specificationChecks.filter(applies).flatMap((check): [string, RequestedCheck][] => {
    const requested = check.replacing
      ? requestedReplacement(check, check.replacing, options, kernel)
      : options.value(check)
    return requested === undefined ? [] : [[check.check, requested as RequestedCheck]]
  })

const requestedReplacement = (
  check: SpecificationCheck,
  { method: methodOption, ignore }: NonNullable<SpecificationCheck['replacing']>,
  { value, field, mention }: OptionReader,
  kernel: Kernel,
): RequestedCheck | undefined => {
  const requested = value(check) as 'block' | 'replace' | undefined
  const wanted = value(methodOption) as ReplaceMethod | undefined
  const names = value(ignore) as readonly string[] | undefined
  refuseUnknownTypes(names ?? [], detectorsForCallers(kernel, check.check), field(ignore))
  if (requested === undefined) {
    const useless = wanted !== undefined ? methodOption : names && ignore
    if (!useless) return undefined
    const problem = `is missing: ${mention(useless)} does nothing without it; give "block" or "replace"`
    throw invalidField(field(check), problem)
  }
  return {
    action: requested,
    ...(wanted === undefined ? {} : { method: wanted }),
    // The specification writes types in upper case; callers may use any.
    ignore: (names ?? []).map((name) => name.toUpperCase()),
  }
}

const parseRequestedCheck = (value: unknown, field: string): RequestedCheck => {
  if (typeof value !== 'string') return value as RequestedCheck
  if (value === 'block' || value === 'replace') return value
  throw invalidField(field, 'must be true, false, "block", "replace" or an object')
}
