/** What is split over turns, or texts of a list, which models read one after the other. */

import type { MethodDeclaration } from '@sallyport/core'
import type { SpanCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import { checkSpansAcross } from '../replace/spans.js'
import { areApart, partsIn, sequenceOf } from '../values/sequence.js'
import type { Sequence } from '../values/sequence.js'
import { openSpansOf } from '../output/segment-checks.js'
import { withChanged } from './parts.js'
import { stretchesOf } from './turns.js'
import type { TextSite } from '../fields/walk.js'

/**
 * The texts, with what stands across neighbouring turns replaced in each of them.
 * @param request whose texts these are, as they were
 * @param sites that have been looked at one by one
 */
export const replaceAcrossTurns = async (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
  check: SpanCheck,
  context: CheckContext,
): Promise<readonly TextSite[]> => {
  const changed = new Map<TextSite, string>()
  for (const stretch of [...stretchesOf(declaration, request, sites), ...listsIn(declaration, sites)])
    for (const [at, text] of (await checkedStretch(stretch, check, context)).entries()) {
      const site = stretch[at]
      if (site && site.text !== text) changed.set(site, text)
    }
  return withChanged(sites, changed)
}

/** The texts of each list that models read near each other, such as of stop texts. */
const listsIn = ({ together = [] }: MethodDeclaration, sites: readonly TextSite[]): readonly TextSite[][] =>
  together
    .flat()
    .map((field) =>
      sites.filter(({ path: [name, item, ...rest] }) => name === field && typeof item === 'number' && !rest.length),
    )
    .filter(({ length }) => length > 1)

/** A number may go on behind a space, an address only where there is none. */
const separators = [' ', '']

const checkedStretch = async (sites: readonly TextSite[], check: SpanCheck, context: CheckContext) => {
  const turns = sites.map(({ path }) => path[1])
  let texts: readonly string[] = sites.map(({ text }) => text)
  for (const separator of separators) {
    const sequence = sequenceOf(texts, turns, separator)
    if (await mayCross(sequence, check, context)) texts = await checkSpansAcross(check, sequence, context)
  }
  return texts
}

/** Whether a pattern may find something across the end of one of the texts; names are not looked for there. */
const mayCross = async (sequence: Sequence, check: SpanCheck, context: CheckContext): Promise<boolean> => {
  if (!check.detector?.openSpans) return true
  const open = await openSpansOf(check, context)(sequence.whole)
  return open.some((span) => areApart(sequence, partsIn(sequence, span)))
}
