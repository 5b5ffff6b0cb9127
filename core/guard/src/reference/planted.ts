/** What checks of the answer plant in the instructions. */

import { failure, loggable } from '@sallyport/core'
import type { MethodDeclaration, Plant } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { textsOf, withTexts } from '../fields/walk.js'
import { turnOrigin } from '../input/turns.js'
import type { ActiveCheck, ActiveChecks } from '../policy/active-check.js'
import { isContent } from './reference.js'

/** A request as its model gets it, and the checks of the answer to that. */
interface WithPlants {
  readonly request: unknown
  readonly checks: ActiveChecks
}

/** What is planted stands at the end of the last instructions, so that models can keep what they computed for the rest. */
export const withPlants = (declaration: MethodDeclaration, request: unknown, checks: ActiveChecks): WithPlants => {
  if (!checks.output.some(mayPlant)) return { request, checks }
  const sites = textsOf(declaration.input, request)
  const last = sites.findLast(
    (site) =>
      site.text.trim() && isContent(declaration, site) && turnOrigin(declaration, request, site.path) === 'system',
  )
  if (!last) return { request, checks }
  const texts = [last.text]
  const output = checks.output.map((check) => {
    const planted = mayPlant(check) ? plantedBy(check) : undefined
    if (!planted) return check
    texts.push(planted.text)
    return { ...check, policy: { ...check.policy, options: planted.options } }
  })
  const shown = sites.map((site) => (site === last ? { text: texts.join('\n') } : site))
  return { request: withTexts(declaration.input, request, shown), checks: { ...checks, output } }
}

/** UTF-16 units of what a check may plant. */
const maxPlanted = 4096

/** @throws safeguard_unavailable for what is no text with options: the answer would be looked at without them */
const plantedBy = ({ name, definition, policy }: ActiveCheck): Plant | undefined => {
  try {
    const planted: unknown = definition.plant?.(policy.options ?? {})
    if (planted === undefined) return undefined
    if (isPlanted(planted)) return planted
    throw loggable(
      new TypeError('plant() answered with something else than a text of 1 to 4,096 characters and options'),
    )
  } catch (cause) {
    throw failure('safeguard_unavailable', { name }, { cause })
  }
}

const isPlanted = (planted: unknown): planted is Plant => {
  const { text, options } = (isRecord(planted) ? planted : {}) as Partial<Record<keyof Plant, unknown>>
  return typeof text === 'string' && text !== '' && text.length <= maxPlanted && isRecord(options)
}

/** A check in shadow mode changes nothing of the request. */
const mayPlant = ({ definition, policy }: ActiveCheck): boolean => !!definition.plant && policy.mode === 'enforce'
