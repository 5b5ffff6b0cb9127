/** Maps the core's errors, which know nothing of HTTP, to statuses and to OpenAI's types and codes. */

import { failure, isSallyportError, withRenamedField } from '@sallyport/core'
import type { ErrorCode, SallyportError } from '@sallyport/core'

/** `type` of an OpenAI error body. */
type OpenAiType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'rate_limit_error'
  | 'insufficient_quota'
  | 'server_error'

interface Presentation {
  readonly status: number
  /** Where OpenAI's status is another one. */
  readonly openAiStatus?: number
  readonly type: OpenAiType
  /** `code` of an OpenAI error body, where OpenAI's is another one than ours. */
  readonly openAiCode?: string
  /** The message is for the operator: clients get that of `internal`. */
  readonly hidden?: true
}

const badRequest = { status: 400, type: 'invalid_request_error' } as const
const notFound = { status: 404, type: 'invalid_request_error' } as const
const unavailable = { status: 503, type: 'server_error' } as const
const startUp = { status: 500, type: 'server_error', hidden: true } as const

const presentations = {
  invalid_request: badRequest,
  invalid_json: badRequest,
  content_blocked: { ...badRequest, openAiCode: 'content_filter' },
  invalid_output: badRequest,
  unsupported: badRequest,
  context_exceeded: { ...badRequest, openAiCode: 'context_length_exceeded' },
  unauthenticated: { status: 403, openAiStatus: 401, type: 'authentication_error', openAiCode: 'invalid_api_key' },
  forbidden: { status: 403, type: 'permission_error' },
  route_not_found: notFound,
  capability_missing: notFound,
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  model_not_found: { status: 400, openAiStatus: 404, type: 'invalid_request_error' },
  response_not_found: { status: 400, openAiStatus: 404, type: 'invalid_request_error' },
  previous_response_not_found: badRequest,
  payload_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media: { status: 415, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  rate_limited: { status: 429, type: 'rate_limit_error', openAiCode: 'rate_limit_exceeded' },
  quota_exceeded: { status: 429, type: 'insufficient_quota', openAiCode: 'insufficient_quota' },
  overloaded: { status: 429, type: 'rate_limit_error' },
  client_closed: { status: 499, type: 'invalid_request_error' },
  internal: { status: 500, type: 'server_error' },
  invalid_backend_result: { status: 500, type: 'server_error' },
  safeguard_unavailable: unavailable,
  not_ready: unavailable,
  model_unavailable: unavailable,
  upstream_failed: unavailable,
  deadline_exceeded: { status: 504, type: 'server_error' },
  insufficient_memory: unavailable,
  insufficient_storage: unavailable,
  config_invalid: startUp,
  plugin_invalid: startUp,
  model_files: startUp,
  model_invalid: startUp,
} as const satisfies Record<ErrorCode, Presentation>

export const presentationOf = (code: ErrorCode): Presentation => presentations[code]

/** Whether an error may be shown to clients: it is a Sallyport error, neither internal nor hidden. */
export const isForClients = (error: unknown): error is SallyportError =>
  isSallyportError(error) && error.code !== 'internal' && !presentationOf(error.code).hidden

/**
 * Makes the error that clients see, with fields under the names of the body. Anything unforeseen becomes `internal`;
 * its message is for the log only.
 * @param rename translates the kernel's field paths to those of the body
 */
export const publicError = (error: unknown, requestId: string, rename?: (path: string) => string): SallyportError => {
  if (!isForClients(error)) return failure('internal', { requestId }, { cause: error })
  return rename ? withRenamedField(error, rename) : error
}

export const causeOf = (error: unknown): unknown => (isSallyportError(error) ? (error.cause ?? error) : error)

const defaultRetryAfter = 5

/** The most seconds of an estimate; when a quota is free again is known. */
const maxEstimate = 60

const known: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'quota_exceeded'])

/** Whole seconds for the header `Retry-After`, at least 1; undefined where trying again does not help. */
export const retryAfterOf = (error: SallyportError): number | undefined => {
  const { status } = presentationOf(error.code)
  if (status !== 429 && status !== 503) return undefined
  const seconds = Math.max(1, Math.ceil(error.retryAfter ?? defaultRetryAfter))
  return known.has(error.code) ? seconds : Math.min(maxEstimate, seconds)
}
