/** A stream behind the checks of what comes out. */

import { abortWith, Channel, Pacer } from '@sallyport/kit/async'
import { failure, moreSevereVerdict } from '@sallyport/core'
import type { Call, MethodDeclaration, Verdict } from '@sallyport/core'
import { blocksOnFailure, findsSpans, removes } from '../policy/active-check.js'
import type { ActiveCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import { sumFindings } from '../detect/findings.js'
import { acrossTextsOf } from './across-texts.js'
import { checkSegment, knownOpenSpansOf } from './segment-checks.js'
import type { References } from './segment-checks.js'
import type { SegmentSize } from './segmenter.js'
import { StreamGuard } from './stream-guard.js'

/** Chunks that have passed and wait for a slow reader before the source has to wait, too. */
const chunksAhead = 64

export interface OutputChecks {
  /** In the order of the chain. */
  readonly checks: readonly ActiveCheck[]
  /** What answers are compared with, worked out when it is first asked for. */
  readonly references: References
  readonly context: CheckContext
  /** Segments that are checked at the same time. */
  readonly atOnce: number
  readonly size: SegmentSize
}

/**
 * The chunks as they may leave, each as soon as its texts have passed. Whatever the source cuts its texts into, what
 * leaves is the same.
 * @param open starts the source; its signal, and that of the checks, ends with the reader, and with the first text that
 *   does not pass
 * @throws content_blocked, safeguard_unavailable, and what the source throws
 */
export async function* guardedStream(
  { output: fields }: MethodDeclaration,
  open: (call: Call) => AsyncIterable<unknown>,
  { checks, references, context, atOnce, size }: OutputChecks,
): AsyncGenerator {
  const controller = new AbortController()
  const unlink = abortWith(context.call.signal, controller)
  const call = { ...context.call, signal: controller.signal }
  const verdicts = new Verdicts()
  const segmentContext = { ...context, call, onVerdict: verdicts.add.bind(verdicts) }
  const channel = new Channel<unknown>(chunksAhead)
  const fail = (error: unknown) => {
    verdicts.report(context.onVerdict)
    channel.fail(error)
    controller.abort(error)
  }
  const spanChecks = checks.filter(findsSpans)
  const streamChecks = {
    atOnce,
    size,
    lenient: !blocksOnFailure(checks),
    // What is removed may join what stands in two segments.
    whole: checks.some((check) => check.policy.window === 'answer' || removes(check)),
    openSpans: knownOpenSpansOf(spanChecks, segmentContext),
    check: checkSegment(checks, references, segmentContext),
    across: acrossTextsOf(spanChecks, segmentContext),
    pacer: new Pacer(call),
  }
  const guard = new StreamGuard(fields, streamChecks, (chunk) => channel.push(chunk), fail)
  const pump = async () => {
    try {
      for await (const chunk of open(call)) {
        await guard.write(chunk)
        await channel.room()
        if (channel.closed) return
      }
      await guard.end()
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

/** One verdict per check for a text that is checked in many segments: the worst, with the time and the findings of all. */
class Verdicts {
  private readonly byCheck = new Map<Verdict['check'], Verdict>()
  private reported = false

  add(verdict: Verdict): void {
    const other = this.byCheck.get(verdict.check)
    this.byCheck.set(verdict.check, other ? joined(other, verdict) : verdict)
  }

  /** Hands them out, once. */
  report(hear: (verdict: Verdict) => void): void {
    if (this.reported) return
    this.reported = true
    for (const verdict of this.byCheck.values()) hear(verdict)
  }
}

const joined = (one: Verdict, other: Verdict): Verdict => {
  const graver = moreSevereVerdict(one, other)
  const findings = sumFindings(one.findings ?? {}, other.findings ?? {})
  return {
    ...(graver === one ? other : one),
    ...graver,
    latency: one.latency + other.latency,
    ...(Object.keys(findings).length ? { findings } : {}),
  }
}
