/** Replaces what is split over turns, or texts of a list, that models read one after the other. */

import type { MethodDeclaration } from '@sallyport/core'
import type { SpanCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import { checkSpansAcross } from '../replace/spans.js'
import { areInSeveralTurns, partsIn, joinWithSpans } from '../values/texts-with-spans.js'
import type { TextsWithSpans } from '../values/texts-with-spans.js'
import { openSpansOf } from '../output/segment-checks.js'
import { withChanges } from './parts.js'
import { adjacentTurns } from './turns.js'
import type { TextField } from '../fields/walk.js'

/**
 * The texts, with findings across neighbouring turns replaced.
 * @param request the original request
 * @param textFields its texts, which were checked one by one
 */
export const replaceAcrossTurns = async (
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
  check: SpanCheck,
  context: CheckContext,
): Promise<readonly TextField[]> => {
  const changes = new Map<TextField, string>()
  for (const neighbours of [...adjacentTurns(declaration, request, textFields), ...listsIn(declaration, textFields)])
    for (const [at, text] of (await checkNeighbours(neighbours, check, context)).entries()) {
      const textField = neighbours[at]
      if (textField && textField.text !== text) changes.set(textField, text)
    }
  return withChanges(textFields, changes)
}

/** The texts of each list that models read near each other, such as the stop sequences. */
const listsIn = ({ together = [] }: MethodDeclaration, textFields: readonly TextField[]): readonly TextField[][] =>
  together
    .flat()
    .map((field) =>
      textFields.filter(
        ({ path: [name, item, ...rest] }) => name === field && typeof item === 'number' && !rest.length,
      ),
    )
    .filter(({ length }) => length > 1)

/** A number may continue after a space, an address only without one. */
const separators = [' ', '']

const checkNeighbours = async (textFields: readonly TextField[], check: SpanCheck, context: CheckContext) => {
  const turns = textFields.map(({ path }) => path[1])
  let texts: readonly string[] = textFields.map(({ text }) => text)
  for (const separator of separators) {
    const whole = joinWithSpans(texts, turns, separator)
    if (await hasOpenSpanAcross(whole, check, context)) texts = await checkSpansAcross(check, whole, context)
  }
  return texts
}

/** Whether a pattern may match across the end of a turn. Detectors without patterns are always asked. */
const hasOpenSpanAcross = async (whole: TextsWithSpans, check: SpanCheck, context: CheckContext): Promise<boolean> => {
  if (!check.detector?.openSpans) return true
  const open = await openSpansOf(check, context)(whole.joined)
  return open.some((span) => areInSeveralTurns(whole, partsIn(whole, span)))
}
