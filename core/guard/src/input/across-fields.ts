/** Finds what is split over fields of a request: messages, tool calls, documents, tool descriptions. */

import { Pacer } from '@sallyport/kit/async'
import type { MethodDeclaration } from '@sallyport/core'
import type { SpanCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import { findMatchesAcross } from '../values/across-values.js'
import type { MatchesByText } from '../values/across-values.js'
import { edgeValues, isPlainName } from '../values/values.js'
import type { NamedText, Value } from '../values/values.js'
import { ranksOf } from '../fields/walk.js'
import type { TextField } from '../fields/walk.js'
import { roleAt } from './turns.js'

/**
 * The matches to replace in each text, by its position, of findings that continue in neighbouring texts.
 * @throws content_blocked, safeguard_unavailable
 */
export const findMatchesAcrossFields = async (
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
  check: SpanCheck,
  context: CheckContext,
): Promise<MatchesByText> => {
  if (!check.detector?.inspectAcross || textFields.length < 2) return new Map()
  const pacer = new Pacer(context.call)
  const values: (Value | undefined)[] = []
  for (const at of inDeclarationOrder(declaration, textFields)) {
    const textField = textFields[at]
    if (!textField || isName(textField)) continue
    for (const value of await edgeValues(namedText(declaration, request, textField), at, pacer)) values.push(value)
  }
  return findMatchesAcross(check, values, context)
}

/** Identifiers and names for programs are not continued by the texts beside them. */
const isName = ({ leaf, isProgramName = false, text }: TextField): boolean =>
  leaf === 'identifier' || (isProgramName && isPlainName(text))

/** The text with its name and column. A text is a key if its path ends with it. */
const namedText = (declaration: MethodDeclaration, request: unknown, { path, text }: TextField): NamedText => {
  const name = path.findLast((step) => typeof step === 'string') ?? ''
  const role = path[2] === declaration.turns?.text ? roleAt(declaration, request, path) : undefined
  const column = typeof role === 'string' ? `of ${role}` : name
  return { text, name, column: `${path[0] ?? ''} ${column}`, isKey: text === path.at(-1) }
}

/** Positions of texts in declaration order. The order of fields in a request is arbitrary. */
const inDeclarationOrder = ({ input }: MethodDeclaration, textFields: readonly TextField[]): number[] => {
  const ranks = textFields.map(({ path }) => ranksOf(input, path))
  return Array.from(textFields.keys()).sort(
    (one, other) => compareRanks(ranks[one] ?? [], ranks[other] ?? []) || one - other,
  )
}

const compareRanks = (some: readonly number[], others: readonly number[]): number => {
  const at = some.findIndex((rank, position) => rank !== others[position])
  return (some[at] ?? 0) - (others[at] ?? 0)
}
