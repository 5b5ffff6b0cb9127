/** Makes the remote calls of one step side by side, and turns their results and errors into strings for the model. */

import { outputText, isSallyportError } from '@sallyport/core'
import type { CallOptions, ErrorCode } from '@sallyport/core'
import { Channel, mapBounded, TimeLimit, untilAborted } from '@sallyport/kit/async'
import type { CallOutcome, ToolLoopEvent } from './events.js'
import type { ToolLoopLimits } from './limits.js'
import type { RemoteTool } from './offer.js'
import type { PlannedCall } from './call-planner.js'
import type { ResultBudget } from './result-budget.js'

interface CallsContext {
  readonly step: number
  readonly concurrency: number
  readonly limits: ToolLoopLimits
  readonly resultBudget: ResultBudget
  readonly time: TimeLimit
  readonly options: CallOptions
}

/**
 * Yields events as they happen, and returns the outcomes in the order of the calls.
 * @throws the reason of the caller's signal
 */
export async function* runCalls(
  plans: readonly PlannedCall[],
  context: CallsContext,
): AsyncGenerator<ToolLoopEvent, CallOutcome[]> {
  const { step, concurrency } = context
  const events = new Channel<ToolLoopEvent>(Number.POSITIVE_INFINITY)
  const running = mapBounded(plans, concurrency, async (plan) => {
    const { call } = plan
    events.push({ type: 'call_begun', step, call })
    const report = await runCall(plan, context)
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

const runCall = async (
  plan: PlannedCall,
  { limits, resultBudget, time, options }: CallsContext,
): Promise<CallReport> => {
  if ('refusal' in plan) return refused(plan.refusal)
  if (resultBudget.isFull) return refused(`not called: ${resultBudget.refusal}`)
  try {
    return withinBudget(
      await callRemote(plan.tool, plan.arguments, limits, { ...options, signal: time.signal }),
      resultBudget,
    )
  } catch (error) {
    if (time.exceeded === undefined) throw error
    return refused(loopTimeout)
  }
}

const withinBudget = (report: CallReport, budget: ResultBudget): CallReport => {
  const output = budget.take(report.outcome.output)
  const outcome =
    output === undefined ? { output: `withheld: ${budget.refusal}`, failed: true } : { ...report.outcome, output }
  return { ...report, outcome }
}

const loopTimeout = 'the time for tools is over'

const refused = (output: string): CallReport => ({ outcome: { output, failed: true }, duration: 0 })

interface CallReport {
  readonly outcome: CallOutcome
  /** Milliseconds. */
  readonly duration: number
  readonly cause?: unknown
}

/** Makes a call. @throws the reason of the signal when that is aborted; other errors become outcomes */
const callRemote = async (
  { owner, tool }: RemoteTool,
  toolArguments: unknown,
  limits: ToolLoopLimits,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<CallReport> => {
  const begun = performance.now()
  const report = (outcome: CallOutcome, failure: { cause?: unknown } = {}): CallReport => ({
    outcome,
    duration: performance.now() - begun,
    ...failure,
  })
  const reason = () => new Error('the tool took too long')
  const time = new TimeLimit(options.signal, { total: limits.callTime, reason })
  try {
    const request = { server: owner.server.label, name: tool.name, arguments: toolArguments }
    const answering = owner.tools.call(owner.requested ? { ...request, requested: owner.requested } : request, {
      ...options,
      signal: time.signal,
    })
    const result = await untilAborted(answering, time.signal)
    return report({ output: outputText(result), failed: result.error ?? false })
  } catch (cause) {
    options.signal.throwIfAborted()
    const output = time.signal.aborted ? timeoutMessage(limits) : errorOutput(cause)
    return report({ output, failed: true }, { cause })
  } finally {
    time.end()
  }
}

const timeoutMessage = ({ callTime }: ToolLoopLimits): string =>
  `the tool did not answer within ${callTime / 1000} seconds`

const serverFailed = 'the server of the tool failed'

/** What the model reads, by error. It gets no messages of servers and libraries, since it might repeat them. */
const errorOutputs: Partial<Record<ErrorCode, string>> = {
  content_blocked: 'the call was stopped by a safeguard: what was sent or returned is withheld',
  safeguard_unavailable: 'the call could not be checked: what was returned is withheld',
  deadline_exceeded: 'the tool did not answer in time',
  unsupported: 'the tool is not available any more',
  invalid_request: 'the server of the tool cannot be asked',
  forbidden: 'the server of the tool cannot be asked',
}

const errorOutput = (error: unknown): string =>
  (isSallyportError(error) ? errorOutputs[error.code] : undefined) ?? serverFailed
