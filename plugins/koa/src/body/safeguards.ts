/** What requests with a JSON body ask the safeguards for. */

import { failure } from '@sallyport/core'
import type { CallerSafeguards, CheckDescription, Kernel, ReplaceMethod, Stage, Wish } from '@sallyport/core'
import { refuseUnknownTypes } from '../routes/entity-types.js'
import type { Exchange } from '../routes/exchange.js'
import { askedDetectors } from '../routes/find-model.js'
import { opaque } from '../routes/schemas/common.js'
import { isSpelt, replaceMethods, spellings } from '../specification/spellings.js'
import type { Spelling } from '../specification/spellings.js'
import type { JsonObject } from './parse.js'
import type { Schema } from './schema.js'

type Descriptions = ReadonlyMap<string, CheckDescription>

const boolean: Schema = { type: 'boolean' }
const action: Schema = { type: 'string', enum: ['block', 'replace'], 'x-empty-is-absent': true }
const method: Schema = { type: 'string', enum: [...replaceMethods], 'x-empty-is-absent': true }

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

/** Of replacing: its method, and what is left alone. */
export const replacingSchemas = { method, ignored }

const spelt = (of: Spelling): [string, Schema][] =>
  of.replacing
    ? [
        [of.option, action],
        [of.replacing.method.option, method],
        [of.replacing.ignore.option, ignored],
      ]
    : [[of.option, boolean]]

/** Of a check that is spelt as it is called. */
const wish = ({ methods, stages }: CheckDescription, stage: Stage): Schema => {
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
const others = (checks: Descriptions, stage: Stage): CheckDescription[] =>
  [...checks.values()].filter((check) => check.stages[stage] !== undefined && !isSpelt(check.name))

const container = (checks: Descriptions, stage: Stage, description: string): Schema => ({
  type: 'object',
  additionalProperties: false,
  description,
  properties: {
    ...Object.fromEntries(spellings.filter((of) => of.stage === stage).flatMap(spelt)),
    ...Object.fromEntries(others(checks, stage).map((check) => [check.name, wish(check, stage)])),
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
 * What the caller asks for; undefined when nothing.
 * @throws invalid_request
 */
export const callerSafeguards = (
  { input, output }: { readonly input?: JsonObject; readonly output?: JsonObject },
  exchange: Exchange,
): CallerSafeguards | undefined =>
  allWishes({
    input: wishesIn(input, 'input', 'input', exchange),
    output: wishesIn(output, 'output', 'output', exchange),
  })

/** The same of requests that say all of it in one place. @param field where it stands */
export const callerSafeguardsOfBoth = (
  options: JsonObject | undefined,
  exchange: Exchange,
  field: string,
): CallerSafeguards | undefined =>
  allWishes({
    input: wishesIn(options, 'input', field, exchange),
    output: wishesIn(options, 'output', field, exchange),
  })

type Wishes = Readonly<Record<string, Wish>>

/** Undefined where nothing is asked for. */
export const allWishes = (wishes: { readonly [Name in Stage]?: Wishes }): CallerSafeguards | undefined => {
  const given = Object.entries(wishes).filter(([, each]) => Object.keys(each).length)
  return given.length ? Object.fromEntries(given) : undefined
}

const wishesIn = (options: JsonObject = {}, stage: Stage, field: string, { context: { kernel } }: Exchange): Wishes =>
  Object.fromEntries([
    ...spellings.filter((of) => of.stage === stage).flatMap((of) => wishSpelt(of, options, field, kernel)),
    ...others(kernel.checks, stage).flatMap(({ name }) =>
      options[name] === undefined ? [] : [[name, checkedWish(options[name], `${field}.${name}`)] as const],
    ),
  ])

const wishSpelt = (of: Spelling, options: JsonObject, field: string, kernel: Kernel): [string, Wish][] => {
  const value = options[of.option]
  if (!of.replacing) return value === undefined ? [] : [[of.check, value as boolean]]
  const ignore = (options[of.replacing.ignore.option] ?? []) as string[]
  refuseUnknownTypes(ignore, askedDetectors(kernel, of.check), `${field}.${of.replacing.ignore.option}`)
  if (value === undefined) return []
  return [[of.check, replacing(value as 'block' | 'replace', options[of.replacing.method.option], ignore)]]
}

/** Types are called as the specification writes them, whatever case a caller does. */
export const replacing = (wanted: 'block' | 'replace', how: unknown, ignore: readonly string[]): Wish => ({
  action: wanted,
  ...(how === undefined ? {} : { method: how as ReplaceMethod }),
  ignore: ignore.map((name) => name.toUpperCase()),
})

const checkedWish = (value: unknown, field: string): Wish => {
  if (typeof value !== 'string') return value as Wish
  if (value === 'block' || value === 'replace') return value
  throw failure('invalid_request', { field, problem: 'must be true, false, "block", "replace" or an object' })
}
