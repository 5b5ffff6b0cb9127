/** Replaces what is split over turns, or texts of a list, that models read one after the other. */

import type { MethodDeclaration } from '@sallyport/core'
import type { SpanCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import { checkSpansAcross } from '../replace/spans.js'
import { spanSeveralTurns, partsIn, sequenceOf } from '../values/sequence.js'
import type { Sequence } from '../values/sequence.js'
import { openSpansOf } from '../output/segment-checks.js'
import { withChanges } from './parts.js'
import { adjacentTurns } from './turns.js'
import type { TextSite } from '../fields/walk.js'

/**
 * The texts, with findings across neighbouring turns replaced.
 * @param request the original request
 * @param sites its texts, which were checked one by one
 */
export const replaceAcrossTurns = async (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
  check: SpanCheck,
  context: CheckContext,
): Promise<readonly TextSite[]> => {
  const changes = new Map<TextSite, string>()
  for (const neighbours of [...adjacentTurns(declaration, request, sites), ...listsIn(declaration, sites)])
    for (const [at, text] of (await checkSequence(neighbours, check, context)).entries()) {
      const site = neighbours[at]
      if (site && site.text !== text) changes.set(site, text)
    }
  return withChanges(sites, changes)
}

/** The texts of each list that models read near each other, such as of stop texts. */
const listsIn = ({ together = [] }: MethodDeclaration, sites: readonly TextSite[]): readonly TextSite[][] =>
  together
    .flat()
    .map((field) =>
      sites.filter(({ path: [name, item, ...rest] }) => name === field && typeof item === 'number' && !rest.length),
    )
    .filter(({ length }) => length > 1)

/** A number may continue after a space, an address only without one. */
const separators = [' ', '']

const checkSequence = async (sites: readonly TextSite[], check: SpanCheck, context: CheckContext) => {
  const turns = sites.map(({ path }) => path[1])
  let texts: readonly string[] = sites.map(({ text }) => text)
  for (const separator of separators) {
    const sequence = sequenceOf(texts, turns, separator)
    if (await hasOpenSpanAcross(sequence, check, context)) texts = await checkSpansAcross(check, sequence, context)
  }
  return texts
}

/** Whether a pattern may match across the end of a turn. Detectors without patterns are always asked. */
const hasOpenSpanAcross = async (sequence: Sequence, check: SpanCheck, context: CheckContext): Promise<boolean> => {
  if (!check.detector?.openSpans) return true
  const open = await openSpansOf(check, context)(sequence.whole)
  return open.some((span) => spanSeveralTurns(sequence, partsIn(sequence, span)))
}
