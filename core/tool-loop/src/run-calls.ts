import { outputText, isSallyportError } from '@sallyport/core'
import type { CallOptions, ErrorCode } from '@sallyport/core'
import { Channel, mapBounded, TimeLimit, untilAborted } from '@sallyport/kit/async'
import type { CallOutcome, CallReport, ToolLoopEvent } from './events.js'
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
 * Makes the remote calls of one step side by side. Yields events as they happen, and returns the outcomes in the order
 * of the calls.
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

const runCall = async (plan: PlannedCall, context: CallsContext): Promise<CallReport> => {
  const { limits, resultBudget, time, options } = context
  if ('refusal' in plan) return refused(plan.refusal)
  if (resultBudget.isFull) return refused(`not called: ${resultBudget.refusal}`)
  try {
    const report = await callRemote(plan.tool, plan.arguments, limits, { ...options, signal: time.signal })
    const output = resultBudget.take(report.outcome.output)
    if (output !== undefined) return { ...report, outcome: { ...report.outcome, output } }
    return { ...report, outcome: { output: `withheld: ${resultBudget.refusal}`, failed: true } }
  } catch (error) {
    if (time.exceeded === undefined) throw error
    return refused('the time for tools is over')
  }
}

const refused = (output: string): CallReport => ({ outcome: { output, failed: true }, duration: 0 })

/** Makes a call. @throws the reason of the signal when that is aborted; other errors become outcomes */
const callRemote = async (
  { owner, tool }: RemoteTool,
  toolArguments: unknown,
  limits: ToolLoopLimits,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<CallReport> => {
  const start = performance.now()
  const duration = () => performance.now() - start
  const reason = () => new Error('the tool took too long')
  const time = new TimeLimit(options.signal, { total: limits.callTime, reason })
  try {
    const { server, requested } = owner
    const request = { server: server.label, name: tool.name, arguments: toolArguments, ...(requested && { requested }) }
    const pending = owner.tools.call(request, { ...options, signal: time.signal })
    const result = await untilAborted(pending, time.signal)
    return { outcome: { output: outputText(result), failed: result.error ?? false }, duration: duration() }
  } catch (cause) {
    options.signal.throwIfAborted()
    const output = time.signal.aborted
      ? `the tool did not answer within ${limits.callTime / 1000} seconds`
      : errorOutput(cause)
    return { outcome: { output, failed: true }, duration: duration(), cause }
  } finally {
    time.end()
  }
}

/** What the model reads of an error: no messages of servers and libraries, since it might repeat them. */
const errorOutputs: Partial<Record<ErrorCode, string>> = {
  content_blocked: 'the call was stopped by a safeguard: what was sent or returned is withheld',
  safeguard_unavailable: 'the call could not be checked: what was returned is withheld',
  deadline_exceeded: 'the tool did not answer in time',
  unsupported: 'the tool is not available any more',
  invalid_request: 'the server of the tool cannot be asked',
  forbidden: 'the server of the tool cannot be asked',
}

const errorOutput = (error: unknown): string =>
  (isSallyportError(error) ? errorOutputs[error.code] : undefined) ?? 'the server of the tool failed'
