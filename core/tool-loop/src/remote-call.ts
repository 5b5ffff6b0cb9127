/** One call of a remote tool, and what the model is told of it. */

import { abortWith, untilAborted } from '@sallyport/kit/async'
import { outputText, isSallyportError } from '@sallyport/core'
import type { ErrorCode, CallOptions } from '@sallyport/core'
import type { CallOutcome } from './events.js'
import type { ToolLoopLimits } from './limits.js'
import type { RemoteTool } from './offer.js'

export interface CallReport {
  readonly outcome: CallOutcome
  /** Milliseconds. */
  readonly duration: number
  readonly cause?: unknown
}

/** @throws the reason of the call's signal when that is aborted; whatever else fails is an outcome */
export const callRemote = async (
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
