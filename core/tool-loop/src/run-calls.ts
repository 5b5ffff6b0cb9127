/** The remote calls of one step, side by side, and what the model is told of each. */

import { outputText, isSallyportError } from '@sallyport/core'
import type { CallOptions, ErrorCode } from '@sallyport/core'
import { Channel, mapBounded, abortWith, untilAborted } from '@sallyport/kit/async'
import type { CallOutcome, ToolLoopEvent } from './events.js'
import type { ToolLoopLimits } from './limits.js'
import type { RemoteTool } from './offer.js'
import type { PlannedCall } from './plan.js'
import type { ResultRoom } from './result-room.js'
import type { TimeLimit } from './time-limit.js'

interface CallsContext {
  readonly step: number
  readonly atOnce: number
  readonly limits: ToolLoopLimits
  readonly room: ResultRoom
  readonly time: TimeLimit
  readonly options: CallOptions
}

/** Yields what happens as it happens; returns the outcomes in the order of the calls. @throws the caller's reason to give up */
export async function* runCalls(
  plans: readonly PlannedCall[],
  context: CallsContext,
): AsyncGenerator<ToolLoopEvent, CallOutcome[]> {
  const { step, atOnce } = context
  const events = new Channel<ToolLoopEvent>(Number.POSITIVE_INFINITY)
  const running = mapBounded(plans, atOnce, async (plan) => {
    const { call } = plan
    events.push({ type: 'call_begun', step, call })
    const report = await make(plan, context)
    events.push({ type: 'call_ended', step, call, ...report })
    return report.outcome
  })
  running.then(
    () => events.end(),
    (error: unknown) => events.fail(error),
  )
  yield* events.read()
  return running
}

const make = async (plan: PlannedCall, { limits, room, time, options }: CallsContext): Promise<CallReport> => {
  if ('refusal' in plan) return unmade(plan.refusal)
  if (room.isFull) return unmade(`not called: ${room.refusal}`)
  try {
    return kept(await callRemote(plan.tool, plan.arguments, limits, { ...options, signal: time.signal }), room)
  } catch (error) {
    if (!time.isOver) throw error
    return unmade(timeIsOver)
  }
}

const kept = (report: CallReport, room: ResultRoom): CallReport => {
  const output = room.take(report.outcome.output)
  const outcome =
    output === undefined ? { output: `withheld: ${room.refusal}`, failed: true } : { ...report.outcome, output }
  return { ...report, outcome }
}

const timeIsOver = 'the time for tools is over'

const unmade = (output: string): CallReport => ({ outcome: { output, failed: true }, duration: 0 })

interface CallReport {
  readonly outcome: CallOutcome
  /** Milliseconds. */
  readonly duration: number
  readonly cause?: unknown
}

/** @throws the reason of the call's signal when that is aborted; whatever else fails is an outcome */
const callRemote = async (
  { from, tool }: RemoteTool,
  given: unknown,
  limits: ToolLoopLimits,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<CallReport> => {
  const begun = performance.now()
  const report = (outcome: CallOutcome, failure: { cause?: unknown } = {}): CallReport => ({
    outcome,
    duration: performance.now() - begun,
    ...failure,
  })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error('the tool took too long')), limits.callTime)
  const unlink = abortWith(options.signal, late)
  try {
    const request = { server: from.server.label, name: tool.name, arguments: given }
    const answering = from.tools.call(from.requested ? { ...request, requested: from.requested } : request, {
      ...options,
      signal: late.signal,
    })
    const result = await untilAborted(answering, late.signal)
    return report({ output: outputText(result), failed: result.error ?? false })
  } catch (cause) {
    options.signal.throwIfAborted()
    return report({ output: late.signal.aborted ? slow(limits) : problemOf(cause), failed: true }, { cause })
  } finally {
    clearTimeout(timer)
    unlink()
  }
}

const slow = ({ callTime }: ToolLoopLimits): string => `the tool did not answer within ${callTime / 1000} seconds`

const failed = 'the server of the tool failed'

/** Neutral: the texts of servers and libraries are not for models, which may repeat them. */
const problems: Partial<Record<ErrorCode, string>> = {
  content_blocked: 'the call was stopped by a safeguard: what was sent or returned is withheld',
  safeguard_unavailable: 'the call could not be checked: what was returned is withheld',
  deadline_exceeded: 'the tool did not answer in time',
  unsupported: 'the tool is not available any more',
  invalid_request: 'the server of the tool cannot be asked',
  forbidden: 'the server of the tool cannot be asked',
}

const problemOf = (error: unknown): string => (isSallyportError(error) ? problems[error.code] : undefined) ?? failed
