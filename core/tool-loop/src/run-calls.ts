/** The remote calls of one step, side by side. */

import { Channel, mapBounded } from '@sallyport/kit/async'
import type { CallOptions } from '@sallyport/core'
import type { CallOutcome, ToolLoopEvent } from './events.js'
import type { ToolLoopLimits } from './limits.js'
import type { PlannedCall } from './plan.js'
import { callRemote } from './remote-call.js'
import type { CallReport } from './remote-call.js'
import type { ResultRoom } from './result-room.js'
import type { TimeLimit } from './time-limit.js'

export interface CallsContext {
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
    return unmade(late)
  }
}

const kept = (report: CallReport, room: ResultRoom): CallReport => {
  const output = room.take(report.outcome.output)
  const outcome =
    output === undefined ? { output: `withheld: ${room.refusal}`, failed: true } : { ...report.outcome, output }
  return { ...report, outcome }
}

const late = 'the time for tools is over'

const unmade = (output: string): CallReport => ({ outcome: { output, failed: true }, duration: 0 })
