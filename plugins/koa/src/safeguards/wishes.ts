/** What requests ask the safeguards for: the schemas of it, and how it is read. */

import type { CallerSafeguards, CheckDescription, Kernel, ReplaceMethod, Stage, Wish } from '@sallyport/core'
import { invalidField } from '../invalid-field.js'
import { opaque } from '../schemas/common.js'
import type { JsonObject, Schema } from '../schemas/schema.js'
import { detectorsForCallers } from './detectors.js'
import { refuseUnknownTypes } from './detectors.js'
import { isSpelt, replaceMethods, spellings } from './spellings.js'
import type { Spelling, Spelt } from './spellings.js'

type Descriptions = ReadonlyMap<string, CheckDescription>

const boolean: Schema = { type: 'boolean' }
const action: Schema = { type: 'string', enum: ['block', 'replace'], 'x-empty-is-absent': true }
const method: Schema = { type: 'string', enum: replaceMethods, 'x-empty-is-absent': true }

const ignored: Schema = {
  type: 'array',
  maxItems: 256,
  items: {
    ...opaque('the name of an entity type'),
    pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
    'x-allowed': 'the name of an entity type, such as EMAIL_ADDRESS',
  },
  description:
    'entity types that the check leaves alone, not those that it looks for: with ["PERSON"] names stay, and everything else is found',
}

/** How findings are replaced, and which are left alone. */
export const replacingSchemas = { method, ignored }

const schemasOf = ({ option, replacing }: Spelling): [string, Schema][] =>
  replacing
    ? [
        [option, action],
        [replacing.method.option, method],
        [replacing.ignore.option, ignored],
      ]
    : [[option, boolean]]

/** The schema for a check that is spelt as it is called. */
const wishSchema = ({ methods, stages }: CheckDescription, stage: Stage): Schema => {
  const description = stages[stage] ?? ''
  if (!methods.length) return { ...boolean, description }
  const ignore = { ...ignored, description: 'types of findings that the check leaves alone' }
  return {
    type: ['boolean', 'string', 'object'],
    description,
    additionalProperties: false,
    required: ['action'],
    properties: { action, method: { type: 'string', enum: [...methods] }, ignore },
    'x-allowed': 'true, false, "block", "replace" or an object {action, method, ignore}',
  }
}

/** Checks of a stage that the specification does not spell. */
const otherChecks = (checks: Descriptions, stage: Stage): CheckDescription[] =>
  [...checks.values()].filter((check) => check.stages[stage] !== undefined && !isSpelt(check.name))

const container = (checks: Descriptions, stage: Stage, description: string): Schema => ({
  type: 'object',
  additionalProperties: false,
  description,
  properties: {
    ...Object.fromEntries(spellings.filter((of) => of.stage === stage).flatMap(schemasOf)),
    ...Object.fromEntries(otherChecks(checks, stage).map((check) => [check.name, wishSchema(check, stage)])),
  },
})

/** The options `input` and `output` of requests. */
export const safeguardSchemas = (checks: Descriptions) => ({
  input: container(checks, 'input', 'checks of what goes in'),
  output: container(checks, 'output', 'checks of what comes out'),
})

/** The same of forms: what their file says is read in what comes out, so checks that cannot look there are none of them. */
export const formSafeguardSchemas = (checks: Descriptions) => {
  const { input, output } = safeguardSchemas(
    new Map([...checks].filter(([, { stages }]) => stages.output !== undefined)),
  )
  return { input: { ...input, description: 'checks of what goes in, and of what the file says' }, output }
}

/**
 * What a valid body asks for; undefined when nothing.
 * @param fields where the checks of each stage stand in the body
 * @throws invalid_request
 */
export const wishesIn = (
  fields: Readonly<Record<Stage, string>>,
  body: JsonObject,
  kernel: Kernel,
): CallerSafeguards | undefined => {
  const wishesOf = (stage: Stage) => {
    const field = fields[stage]
    const options = (body[field] ?? {}) as JsonObject
    const spelt = wishesSpelt(kernel, (of) => of.stage === stage, {
      value: ({ option }) => options[option],
      field: ({ option }) => `${field}.${option}`,
      mention: ({ option }) => `"${option}"`,
    })
    const others = otherChecks(kernel.checks, stage).flatMap(({ name }): [string, Wish][] =>
      options[name] === undefined ? [] : [[name, checkedWish(options[name], `${field}.${name}`)]],
    )
    return Object.fromEntries([...spelt, ...others])
  }
  return allWishes({ input: wishesOf('input'), output: wishesOf('output') })
}

/** Undefined where nothing is asked for. */
export const allWishes = (wishes: CallerSafeguards): CallerSafeguards | undefined => {
  const given = Object.entries(wishes).filter(([, each]) => Object.keys(each).length)
  return given.length ? Object.fromEntries(given) : undefined
}

/** How the options that the specification spells are read: those of a body, or headers. */
export interface SpeltOptions {
  /** The value, of the type that its schema says; undefined for an option that is absent. @throws invalid_request */
  readonly value: (spelt: Spelt) => unknown
  /** What errors call the option as the field that is wrong, and how they mention it. */
  readonly field: (spelt: Spelt) => string
  readonly mention: (spelt: Spelt) => string
}

/** @throws invalid_request for types of findings that are unknown, and for ways of replacing where nothing is replaced */
export const wishesSpelt = (
  kernel: Kernel,
  applies: (of: Spelling) => boolean,
  options: SpeltOptions,
): [string, Wish][] =>
  spellings.filter(applies).flatMap((of): [string, Wish][] => {
    const wish = of.replacing ? replacingWish(of, of.replacing, options, kernel) : options.value(of)
    return wish === undefined ? [] : [[of.check, wish as Wish]]
  })

const replacingWish = (
  of: Spelling,
  { method: how, ignore }: NonNullable<Spelling['replacing']>,
  { value, field, mention }: SpeltOptions,
  kernel: Kernel,
): Wish | undefined => {
  const [wanted, chosen, names] = [value(of), value(how), value(ignore) as readonly string[] | undefined]
  refuseUnknownTypes(names ?? [], detectorsForCallers(kernel, of.check), field(ignore))
  if (wanted === undefined) {
    const useless = chosen !== undefined ? how : names && ignore
    if (!useless) return undefined
    throw invalidField(field(of), `is missing: ${mention(useless)} does nothing without it; give "block" or "replace"`)
  }
  return {
    action: wanted as 'block' | 'replace',
    ...(chosen === undefined ? {} : { method: chosen as ReplaceMethod }),
    // Types are called as the specification writes them, whatever case a caller uses.
    ignore: (names ?? []).map((name) => name.toUpperCase()),
  }
}

const checkedWish = (value: unknown, field: string): Wish => {
  if (typeof value !== 'string') return value as Wish
  if (value === 'block' || value === 'replace') return value
  throw invalidField(field, 'must be true, false, "block", "replace" or an object')
}
