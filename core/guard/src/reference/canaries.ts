/** Plants the canaries of output checks in the instructions. */

import { failure, loggable } from '@sallyport/core'
import type { MethodDeclaration, Canary } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { textsOf, withTexts } from '../fields/walk.js'
import { turnOrigin } from '../input/turns.js'
import type { ActiveCheck, ActiveChecks } from '../policy/active-check.js'
import { isContent } from './reference.js'

/** The request with canaries, and the output checks with the options that find them. */
interface RequestWithCanaries {
  readonly request: unknown
  readonly checks: ActiveChecks
}

/**
 * Plants canaries at the end of the last instructions, so that the model's cache of everything before them stays valid.
 */
export const withCanaries = (
  declaration: MethodDeclaration,
  request: unknown,
  checks: ActiveChecks,
): RequestWithCanaries => {
  if (!checks.output.some(plantsCanary)) return { request, checks }
  const textFields = textsOf(declaration.input, request)
  const last = textFields.findLast(
    (textField) =>
      textField.text.trim() &&
      isContent(declaration, textField) &&
      turnOrigin(declaration, request, textField.path) === 'system',
  )
  if (!last) return { request, checks }
  const texts = [last.text]
  const output = checks.output.map((check) => {
    const canary = plantsCanary(check) ? canaryOf(check) : undefined
    if (!canary) return check
    texts.push(canary.text)
    return { ...check, entry: { ...check.entry, options: canary.options } }
  })
  const shown = textFields.map((textField) => (textField === last ? { text: texts.join('\n') } : textField))
  return { request: withTexts(declaration.input, request, shown), checks: { ...checks, output } }
}

/** In UTF-16 code units. */
const maxCanaryLength = 4096

/** @throws safeguard_unavailable for an invalid canary, since the answer would be checked without its options */
const canaryOf = ({ name, definition, entry }: ActiveCheck): Canary | undefined => {
  try {
    const canary: unknown = definition.plant?.(entry.options ?? {})
    if (canary === undefined) return undefined
    if (isCanary(canary)) return canary
    throw loggable(new TypeError('plant() must return a text of 1 to 4,096 UTF-16 code units, and options'))
  } catch (cause) {
    throw failure('safeguard_unavailable', { name }, { cause })
  }
}

const isCanary = (canary: unknown): canary is Canary => {
  const { text, options } = (isRecord(canary) ? canary : {}) as Partial<Record<keyof Canary, unknown>>
  return typeof text === 'string' && text !== '' && text.length <= maxCanaryLength && isRecord(options)
}

/** A check in shadow mode must not change the request, so it plants no canary. */
const plantsCanary = ({ definition, entry }: ActiveCheck): boolean => !!definition.plant && entry.mode === 'enforce'
