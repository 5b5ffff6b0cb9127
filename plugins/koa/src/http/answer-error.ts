import type { SallyportError } from '@sallyport/core'
import { publicError, retryAfterOf } from '../dialects/errors.js'
import { bodyHasEnded, endAfterReading } from './body-end.js'
import { blockedMember, receiptMember, safeguardHeaders } from './state.js'
import type { RequestContext } from './state.js'

/** After these errors the connection is closed, and the rest of the body is not read. */
const closingCodes = new Set(['payload_too_large', 'request_timeout', 'unsupported_media'])

/** Answers with an error in the dialect of the path, unless the answer has begun or the client has disconnected. */
export const answerError = async (ctx: RequestContext, error: unknown): Promise<void> => {
  const { req, res, state } = ctx
  await state.audit?.end(error)
  if (res.headersSent || res.destroyed) return
  const clientError = publicError(error, state.requestId, state.exchange?.wireField)
  const body = JSON.stringify({
    ...state.dialect.errorBody(clientError),
    ...blockedMember(state.exchange),
    ...receiptMember(state.exchange),
  })
  const bodyEnded = !closingCodes.has(clientError.code) && (await bodyHasEnded(req))
  if (!bodyEnded) res.setHeader('connection', 'close')
  res.writeHead(state.dialect.status(clientError), {
    ...headersOf(clientError, ctx),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  // A client that sends too slowly is not waited for any longer.
  if (bodyEnded || clientError.code === 'request_timeout') res.end(body)
  else {
    res.write(body)
    await endAfterReading(req, res)
  }
}

const headersOf = (error: SallyportError, { state }: RequestContext): Record<string, string> => {
  const retryAfter = retryAfterOf(error)
  const { allowed } = error.details
  return {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...safeguardHeaders(state.exchange),
    ...(error.code === 'method_not_allowed' && Array.isArray(allowed) ? { allow: allowed.join(', ') } : {}),
    ...(state.dialect.status(error) === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
}
