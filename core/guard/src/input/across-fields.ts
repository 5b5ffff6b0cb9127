/** Finds what is split over fields of a request: messages, tool calls, documents, tool descriptions. */

import { Pacer } from '@sallyport/kit/async'
import type { MethodDeclaration } from '@sallyport/core'
import type { SpanCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import { placesAcross } from '../values/across-values.js'
import type { PlacesByText } from '../values/across-values.js'
import { edgeValues, hasLettersOnly } from '../values/values.js'
import type { NamedText, Value } from '../values/values.js'
import { ranksOf } from '../fields/walk.js'
import type { TextSite } from '../fields/walk.js'
import { speakerAt } from './turns.js'

/**
 * The places to replace in each text, by its position, whose findings continue in neighbouring texts.
 * @throws content_blocked, safeguard_unavailable
 */
export const placesAcrossFields = async (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
  check: SpanCheck,
  context: CheckContext,
): Promise<PlacesByText> => {
  if (!check.detector?.inspectAcross || sites.length < 2) return new Map()
  const pacer = new Pacer(context.call)
  const values: (Value | undefined)[] = []
  for (const at of inReadingOrder(declaration, sites)) {
    const site = sites[at]
    if (!site || isName(site)) continue
    for (const value of await edgeValues(namedText(declaration, request, site), at, pacer)) values.push(value)
  }
  return placesAcross(check, values, context)
}

/** Identifiers and schema names are no part of the texts beside them. */
const isName = ({ leaf, word = false, text }: TextSite): boolean =>
  leaf === 'identifier' || (word && hasLettersOnly(text))

/** The text with its name and column. A text is a key if its path ends with it. */
const namedText = (declaration: MethodDeclaration, request: unknown, { path, text }: TextSite): NamedText => {
  const name = path.findLast((step) => typeof step === 'string') ?? ''
  const speaker = path[2] === declaration.turns?.text ? speakerAt(declaration, request, path) : undefined
  const column = typeof speaker === 'string' ? `of ${speaker}` : name
  return { text, name, column: `${path[0] ?? ''} ${column}`, isKey: text === path.at(-1) }
}

/** Positions of texts in declaration order. The order of fields in a request is arbitrary. */
const inReadingOrder = ({ input }: MethodDeclaration, sites: readonly TextSite[]): number[] => {
  const ranks = sites.map(({ path }) => ranksOf(input, path))
  return Array.from(sites.keys()).sort(
    (one, other) => compareRanks(ranks[one] ?? [], ranks[other] ?? []) || one - other,
  )
}

const compareRanks = (some: readonly number[], others: readonly number[]): number => {
  const at = some.findIndex((rank, position) => rank !== others[position])
  return (some[at] ?? 0) - (others[at] ?? 0)
}
