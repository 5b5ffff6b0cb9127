/** Runs the output checks on segments, whether the answer is streamed or not. */

import { loggable } from '@sallyport/core'
import type { Call, ComparedWith, InspectionRequest, SpanDetector } from '@sallyport/core'
import { append } from '@sallyport/kit/lists'
import type { ReadingAfter, Span } from '@sallyport/kit/views'
import type { LocateIn } from './document-places.js'
import { blocked, cutsPassages, findsSpans, maxRechecks, removes } from '../policy/active-check.js'
import type { ActiveCheck, SpanCheck } from '../policy/active-check.js'
import { checkScore, decideUnreferenced, runWithinBudget, readingsFor } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import type { Match } from '../detect/matches.js'
import { isSpanOf } from '../detect/validity.js'
import { cutPassages } from '../replace/cut.js'
import { checkSpans } from '../replace/spans.js'
import { withoutCutEscape } from './boundaries.js'
import type { OpenSpans, Segment } from './segmenter.js'

/** Resolves with what answers are compared with, or an empty string. */
export type FindReference = (kind: ComparedWith) => Promise<string>

/** The matches to replace in a segment, by the check that found them across several texts. */
export type MatchesByCheck = ReadonlyMap<ActiveCheck, readonly Match[]>

/**
 * Runs the checks on a segment. A check that replaces is awaited, and later checks see the replaced text; the others
 * run in parallel. A removal joins the text around it, so all checks up to it run again. Of several that fail, the
 * first in the chain is reported.
 * @param checks in the order of the chain
 */
export const checkSegment =
  (
    checks: readonly ActiveCheck[],
    findReference: FindReference,
    outerContext: CheckContext,
    rechecksLeft = maxRechecks,
  ) =>
  async (segment: Segment, matchesAcross?: Promise<MatchesByCheck>, locate?: LocateIn): Promise<string> => {
    let { text } = segment
    const pending: Promise<unknown>[] = []
    for (const [at, check] of checks.entries()) {
      const context = locate && text === segment.text ? located(outerContext, segment, locate) : outerContext
      const cuts = cutsPassages(check)
      if (!cuts && !findsSpans(check)) {
        const checked = checkText(check, { ...segment, text }, findReference, context)
        // It may fail while a later check is awaited.
        checked.catch(() => undefined)
        pending.push(checked)
        continue
      }
      const replaceIn = async (seen: string) => {
        const matches = (await matchesAcross)?.get(check)
        const next = await (cuts
          ? cutPassages(check, { text: seen, before: segment.before, ...partOf(segment) }, context)
          : checkSpans(check, seen, context, segment.before, matches))
        if (next === seen || !removes(check)) return next
        if (rechecksLeft === 0) throw blocked(check)
        const recheck = checkSegment(checks.slice(0, at + 1), findReference, context, rechecksLeft - 1)
        return recheck({ ...segment, text: next })
      }
      const replaced = replaceIn(text)
      pending.push(replaced)
      const result = await replaced.catch(() => undefined)
      if (result === undefined) break
      text = result
    }
    await throwFirstFailure(pending)
    return text
  }

/** Replacing moves what follows, so positions are known in the text as it came. */
const located = (context: CheckContext, segment: Segment, locate: LocateIn): CheckContext => ({
  ...context,
  description: { text: segment.text, locate: (found) => locate(segment, found) },
})

/** Attacks in answers are judged as those in documents are: whoever reads the answer did not write it. */
const partOf = ({ start }: Segment) => ({ origin: 'document', ...(start && { offset: start }) }) as const

/** Waits for all, and throws the error of the first in the list that failed. */
const throwFirstFailure = async (checks: readonly Promise<unknown>[]): Promise<void> => {
  for (const result of await Promise.allSettled(checks)) if (result.status === 'rejected') throw result.reason
}

const checkText = async (
  check: ActiveCheck,
  segment: Segment,
  findReference: FindReference,
  context: CheckContext,
): Promise<void> => {
  const { comparedWith, asksWithoutReference } = check.definition
  if (!comparedWith) return inspectReadings(check, segment, partOf(segment), context)
  const reference = await findReference(comparedWith)
  // A missing detector is reported for every answer.
  if (reference || asksWithoutReference || !check.detector)
    await inspectReadings(check, segment, { reference }, context)
  else decideUnreferenced(check, context)
}

const inspectReadings = async (
  check: ActiveCheck,
  { text, before }: Pick<Segment, 'text' | 'before'>,
  more: Partial<InspectionRequest>,
  context: CheckContext,
): Promise<void> => {
  const requestOf = (reading: ReadingAfter) => ({
    text: reading.text,
    ...(before ? { before: reading.before } : {}),
    ...more,
  })
  const readings = await readingsFor(check, text, context, before)
  await Promise.all(readings.map((reading) => checkScore(check, requestOf(reading), context, reading)))
}

/** The open spans of all checks together; undefined if a detector has no `openSpans`. */
export const jointOpenSpans = (checks: readonly SpanCheck[], context: CheckContext): OpenSpans | undefined => {
  if (checks.some(({ detector }) => detector && !detector.openSpans)) return undefined
  const each = checks.map((check) => openSpansOf(check, context))
  return async (text) => {
    const spans: Span[] = []
    for (const openSpans of each) append(spans, await openSpans(text))
    return spans
  }
}

/** The open spans of every reading of a text; none without a detector. */
export const openSpansOf = (check: SpanCheck, context: CheckContext): OpenSpans => {
  const { detector, entry } = check
  if (!detector?.openSpans) return () => Promise.resolve([])
  const openSpans = detector.openSpans.bind(detector)
  const spansIn = async (text: string) => {
    const spans: Span[] = []
    for (const reading of await readingsFor(check, text, context)) {
      const request = { text: reading.text, ...(entry.options ? { options: entry.options } : {}) }
      const open = await runWithinBudget(check, reading.text, context, (call) => validSpans(openSpans, request, call))
      append(spans, (open ?? []).map(reading.sourceOf))
    }
    return spans
  }
  return async (text) => {
    const spans = await spansIn(text)
    const whole = withoutCutEscape(text)
    if (whole === text) return spans
    // What ends before the escape may go on with what the escape stands for.
    for (const { start, end } of await spansIn(whole))
      spans.push({ start, end: end < whole.length ? end : text.length })
    return spans
  }
}

type OpenSpansMethod = NonNullable<SpanDetector['openSpans']>

const validSpans = async (openSpans: OpenSpansMethod, request: Parameters<OpenSpansMethod>[0], call: Call) => {
  const { spans } = await openSpans(request, call)
  if (!spans.every((span) => isSpanOf(request.text, span)))
    throw loggable(new TypeError('the detector answered with spans outside the text'))
  return spans
}
