/** Failures of tool servers in Sallyport's words, which never quote a server. */

import { failure, isSallyportError, loggable } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { OutboundError } from '@sallyport/outbound'
import type { OutboundReason } from '@sallyport/outbound'
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'

/** A failure of a server; its message continues after `the tool server x`. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault'

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    loggable(this)
  }
}

/** A server that is down; `retryAfter` is in seconds. */
export class ServerDown extends ServerFault {
  constructor(
    problem: string,
    readonly retryAfter: number,
  ) {
    super(problem)
  }
}

const outboundProblems: Readonly<Record<OutboundReason, string>> = {
  malformed: 'has an address that is not a valid URL',
  scheme: 'has an address that is neither https nor http',
  credentials: 'has a user name or a password in its address',
  host: 'is at a host or port that is not allowed',
  unreachable: 'cannot be reached',
  redirect: 'redirects to an address that is not allowed, more than 3 times, or so that a POST becomes a GET',
  status: 'refused the request',
  encoding: 'sent a compressed response, which was not requested',
  too_large: 'sent a message that is too large',
  slow: 'took too long to send its response',
  broken: 'broke off in the middle of its response',
}

/** Describes any error of a connection; continues after `the tool server x`, as the message of a ServerFault does. */
export const problemOf = (error: unknown): string => {
  if (error instanceof ServerFault) return error.message
  if (isSallyportError(error))
    return error.code === 'deadline_exceeded' ? 'did not answer in time' : `cannot be used now: ${error.message}`
  if (error instanceof OutboundError) return outboundProblems[error.reason]
  if (error instanceof StreamableHTTPError || error instanceof SseError) return httpProblem(error.code)
  if (isTimeout(error)) return 'did not answer in time'
  if (error instanceof McpError && error.data instanceof Error) return problemOf(error.data)
  if (error instanceof McpError) return `answered with the error ${error.code}`
  return 'does not speak the protocol'
}

/**
 * Like {@link problemOf}, for the log. A server's own text is left out: it may quote credentials and be of any length.
 */
export const loggedProblem = (error: unknown): string =>
  error instanceof OutboundError
    ? error.message
    : `${error instanceof Error ? error.name : 'Error'}: ${problemOf(error)}`

const httpProblem = (code: number | undefined): string =>
  code === undefined || code < 100
    ? 'does not speak the protocol over HTTP'
    : `answered with the status ${code}${code === 401 || code === 403 ? ': check its authorization' : ''}`

/** Whether the server reports a timeout of its own. */
const isTimeout = (error: unknown): boolean =>
  error instanceof McpError && error.code === (ErrorCode.RequestTimeout as number)

/** Turns any error of a server into one of Sallyport's. */
export const serverFailure = (label: string, error: unknown): SallyportError => {
  if (isSallyportError(error)) return error
  const retryAfter = error instanceof ServerDown ? error.retryAfter : undefined
  const problem = `the tool server ${label} ${problemOf(error)}`
  return failure(
    'upstream_failed',
    { model: 'mcp', problem },
    { cause: new ServerFault(loggedProblem(error)), retryAfter },
  )
}

export const unknownTool = (label: string, name: string): SallyportError =>
  failure('unsupported', { field: 'name', problem: `there is no tool ${JSON.stringify(name)} on the server ${label}` })
