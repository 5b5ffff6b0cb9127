/** A stream that passes through the output checks. */

import { abortWith, Channel, Pacer } from '@sallyport/kit/async'
import { failure, moreSevereVerdict, sumFindings } from '@sallyport/core'
import type { Call, MethodDeclaration, Verdict } from '@sallyport/core'
import { blocksOnFailure, findsSpans, removes } from '../policy/active-check.js'
import type { ActiveCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import { maxReportedSpans } from '../detect/findings.js'
import { searchAcrossTexts } from './across-texts.js'
import { DocumentPlaces } from './document-places.js'
import { checkSegment, jointOpenSpans } from './segment-checks.js'
import type { FindReference } from './segment-checks.js'
import type { SegmentSize } from './segmenter.js'
import { StreamTexts } from './stream-texts.js'

/** The source is read until this many checked chunks wait for the reader. */
const chunksAhead = 64

interface OutputChecks {
  /** In the order of the chain. */
  readonly checks: readonly ActiveCheck[]
  /** What answers are compared with; collected when first needed. */
  readonly findReference: FindReference
  readonly context: CheckContext
  /** Number of segments that are checked at the same time. */
  readonly maxConcurrent: number
  readonly size: SegmentSize
}

/**
 * Yields each chunk as soon as its texts have passed. The released text does not depend on how the source divides it.
 * @param open starts the source. Its signal, and that of the checks, is aborted when the reader stops, or a text is
 * blocked
 * @throws content_blocked, safeguard_unavailable, and what the source throws
 */
export async function* guardedStream(
  { output: fields, located }: MethodDeclaration,
  open: (call: Call) => AsyncIterable<unknown>,
  { checks, findReference, context, maxConcurrent, size }: OutputChecks,
): AsyncGenerator {
  const controller = new AbortController()
  const unlink = abortWith(context.call.signal, controller)
  const call = { ...context.call, signal: controller.signal }
  const verdicts = new MergedVerdicts()
  const segmentContext = { ...context, call, onVerdict: verdicts.add.bind(verdicts) }
  const channel = new Channel<unknown>(chunksAhead)
  const fail = (error: unknown) => {
    verdicts.report(context.onVerdict)
    channel.fail(error)
    controller.abort(error)
  }
  const spanChecks = checks.filter(findsSpans)
  const streamChecks = {
    maxConcurrent,
    size,
    lenient: !blocksOnFailure(checks),
    // A removal may join text of two segments.
    isSingleSegment: checks.some((check) => check.entry.window === 'answer' || removes(check)),
    openSpans: jointOpenSpans(spanChecks, segmentContext),
    check: checkSegment(checks, findReference, segmentContext),
    searchAcross: searchAcrossTexts(spanChecks, segmentContext),
    pacer: new Pacer(call),
  }
  const places = located === undefined ? undefined : new DocumentPlaces(located)
  const texts = new StreamTexts(fields, streamChecks, (chunk) => channel.push(chunk), fail, places)
  const pump = async () => {
    try {
      for await (const chunk of open(call)) {
        places?.add(chunk)
        await texts.write(chunk)
        await channel.waitForRoom()
        if (channel.closed) return
      }
      await texts.end()
      verdicts.report(context.onVerdict)
      channel.end()
    } catch (error) {
      fail(error)
    }
  }
  void pump()
  try {
    yield* channel.read()
  } finally {
    unlink()
    controller.abort(failure('client_closed', {}))
    verdicts.report(context.onVerdict)
  }
}

/** One verdict for each check of a policy over all segments: the most severe one, with the latencies and findings of all. */
class MergedVerdicts {
  private readonly byCheck = new Map<string, Verdict>()
  private reported = false

  add(verdict: Verdict): void {
    const key = `${verdict.check} ${verdict.policy ?? ''}`
    const other = this.byCheck.get(key)
    this.byCheck.set(key, other ? mergeVerdicts(other, verdict) : verdict)
  }

  /** Reports the verdicts, on the first call only. */
  report(onVerdict: (verdict: Verdict) => void): void {
    if (this.reported) return
    this.reported = true
    for (const verdict of this.byCheck.values()) onVerdict(verdict)
  }
}

const mergeVerdicts = (one: Verdict, other: Verdict): Verdict => {
  const moreSevere = moreSevereVerdict(one, other)
  const findings = sumFindings(one.findings ?? {}, other.findings ?? {})
  const spans = [...(one.spans ?? []), ...(other.spans ?? [])].slice(0, maxReportedSpans)
  return {
    ...moreSevere,
    latency: one.latency + other.latency,
    ...(Object.keys(findings).length ? { findings } : {}),
    ...(spans.length ? { spans } : {}),
  }
}
