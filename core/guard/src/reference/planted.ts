/** Plants the texts of output checks in the instructions. */

import { failure, loggable } from '@sallyport/core'
import type { MethodDeclaration, Plant } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { textsOf, withTexts } from '../fields/walk.js'
import { turnOrigin } from '../input/turns.js'
import type { ActiveCheck, ActiveChecks } from '../policy/active-check.js'
import { isContent } from './reference.js'

/** The request with planted texts, and the output checks with the options that find them. */
interface PlantedRequest {
  readonly request: unknown
  readonly checks: ActiveChecks
}

/** Plants texts at the end of the last instructions, so that the model's cache of everything before them stays valid. */
export const withPlants = (declaration: MethodDeclaration, request: unknown, checks: ActiveChecks): PlantedRequest => {
  if (!checks.output.some(plants)) return { request, checks }
  const sites = textsOf(declaration.input, request)
  const last = sites.findLast(
    (site) =>
      site.text.trim() && isContent(declaration, site) && turnOrigin(declaration, request, site.path) === 'system',
  )
  if (!last) return { request, checks }
  const texts = [last.text]
  const output = checks.output.map((check) => {
    const planted = plants(check) ? plantOf(check) : undefined
    if (!planted) return check
    texts.push(planted.text)
    return { ...check, policy: { ...check.policy, options: planted.options } }
  })
  const shown = sites.map((site) => (site === last ? { text: texts.join('\n') } : site))
  return { request: withTexts(declaration.input, request, shown), checks: { ...checks, output } }
}

/** Maximum length of a planted text in UTF-16 units. */
const maxPlant = 4096

/** @throws safeguard_unavailable for an invalid plant, since the answer would be checked without its options */
const plantOf = ({ name, definition, policy }: ActiveCheck): Plant | undefined => {
  try {
    const planted: unknown = definition.plant?.(policy.options ?? {})
    if (planted === undefined) return undefined
    if (isPlant(planted)) return planted
    throw loggable(
      new TypeError('plant() answered with something else than a text of 1 to 4,096 characters and options'),
    )
  } catch (cause) {
    throw failure('safeguard_unavailable', { name }, { cause })
  }
}

const isPlant = (planted: unknown): planted is Plant => {
  const { text, options } = (isRecord(planted) ? planted : {}) as Partial<Record<keyof Plant, unknown>>
  return typeof text === 'string' && text !== '' && text.length <= maxPlant && isRecord(options)
}

/** A check in shadow mode must not change the request, so it plants nothing. */
const plants = ({ definition, policy }: ActiveCheck): boolean => !!definition.plant && policy.mode === 'enforce'
