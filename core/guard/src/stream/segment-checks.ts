/** The checks of what comes out. Each text goes through them segment by segment, whether it is streamed or not. */

import { loggable } from '@sallyport/core'
import type { Call, SpanDetector, InspectionRequest, CheckPolicy, PiiPolicy, Policy } from '@sallyport/core'
import { append } from '@sallyport/kit/lists'
import type { ReadingBehind, Span } from '@sallyport/kit/views'
import { checkScore, decideUnreferenced, guarded, readingsFor } from '../checks.js'
import type { CheckContext, CheckName } from '../checks.js'
import { checkPii } from '../personal-information.js'
import type { Place } from '../places.js'
import type { OpenSpans, Segment } from './segmenter.js'

/**
 * Attacks are looked for in the text as it came. Personal information goes first of the rest, as it may change the
 * text; toxicity and factuality side by side on what became of it. The first of the chain decides what is reported.
 * @param reference what answers must agree with: empty where there is nothing
 */
export const checkSegment =
  (
    { injection, pii, toxicity, factuality }: Policy['output'],
    reference: () => Promise<string>,
    context: CheckContext,
  ) =>
  async (segment: Segment, across?: Promise<readonly Place[]>): Promise<string> => {
    const { before } = segment
    const check = async (
      name: Exclude<CheckName, 'pii'>,
      policy: CheckPolicy | undefined,
      text: string,
      more: Partial<InspectionRequest> = {},
    ) => {
      if (!policy) return
      const requestOf = (reading: ReadingBehind) => ({
        text: reading.text,
        ...(before ? { before: reading.before } : {}),
        ...more,
      })
      const readings = await readingsFor(name, policy, text, context, before)
      await Promise.all(readings.map((reading) => checkScore(name, policy, requestOf(reading), context, reading)))
    }
    const agrees = async (text: string) => {
      if (!factuality) return
      const compared = await reference()
      // that there is no detector is said of every answer
      if (compared || !context.detectors.factuality)
        await check('factuality', factuality, text, { reference: compared })
      else decideUnreferenced(factuality, context)
    }
    const rest = async () => {
      const text = pii ? await checkPii(pii, segment.text, context, before, await across) : segment.text
      await allPassed([check('toxicity', toxicity, text), agrees(text)])
      return text
    }
    if (!injection) return rest()
    const clean = check('injection', injection, segment.text, { origin: 'document' })
    const checked = rest()
    await allPassed([clean, checked])
    return checked
  }

/** Waits for all; the first in the list that failed decides. */
const allPassed = async (checks: readonly Promise<unknown>[]): Promise<void> => {
  for (const result of await Promise.allSettled(checks)) if (result.status === 'rejected') throw result.reason
}

/** Undefined where the detector cannot say what is open. */
export const knownOpenSpansOf = (policy: PiiPolicy | undefined, context: CheckContext): OpenSpans | undefined => {
  const { pii } = context.detectors
  return policy && pii && !pii.openSpans ? undefined : openSpansOf(policy, context)
}

/** Of every reading of the text. Where nothing is looked for, nothing is open. */
export const openSpansOf = (policy: PiiPolicy | undefined, context: CheckContext): OpenSpans => {
  const { pii } = context.detectors
  if (!policy || !pii?.openSpans) return () => Promise.resolve([])
  const openSpans = pii.openSpans.bind(pii)
  return async (text) => {
    const spans: Span[] = []
    for (const reading of await readingsFor('pii', policy, text, context)) {
      const open = await guarded('pii', policy, reading.text, context, (call) =>
        soundSpans(openSpans, reading.text, call),
      )
      append(spans, (open ?? []).map(reading.sourceOf))
    }
    return spans
  }
}

const soundSpans = async (openSpans: NonNullable<SpanDetector['openSpans']>, text: string, call: Call) => {
  const { spans } = await openSpans({ text }, call)
  if (!spans.every(({ start, end }) => start >= 0 && start <= end && end <= text.length))
    throw loggable(new TypeError('the detector answered with spans outside the text'))
  return spans
}
