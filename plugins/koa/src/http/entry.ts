import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { failure, isSallyportError } from '@sallyport/core'
import type { ErrorCode, Logger } from '@sallyport/core'
import type { Middleware } from 'koa'
import { dialectOfPath } from '../dialects/dialect.js'
import { causeOf, presentationOf } from '../dialects/errors.js'
import { roundedMilliseconds } from '../dialects/values.js'
import type { Route } from '../routes/route.js'
import { safeguardsHeader } from '../safeguards/receipts.js'
import { ObservedRequest } from '../telemetry.js'
import type { Outcome } from '../telemetry.js'
import { answerError } from './answer-error.js'
import { notHttp } from './client-errors.js'
import type { CrossOrigin, OriginCheck } from './cors.js'
import { routingPath } from './path.js'
import type { RequestContext, RequestState } from './state.js'

interface EntryOptions {
  readonly logger: Logger
  readonly checkOrigin: OriginCheck
  /** Which web pages may read answers. */
  readonly crossOrigin: CrossOrigin
  readonly maskPath: (path: string) => string
}

/**
 * The outermost middleware: it sets request ids and the headers of every answer, answers errors, and writes the access
 * log.
 */
export const entry =
  ({ logger, checkOrigin, crossOrigin, maskPath }: EntryOptions): Middleware<RequestState> =>
  async (ctx: RequestContext, next) => {
    const started = performance.now()
    const observed = (ctx.state.observed = new ObservedRequest(ctx.req))
    const path = routingPath(ctx.req.url ?? '/')
    ctx.state.requestId = requestIdOf(ctx.get('x-request-id'))
    ctx.state.dialect = dialectOfPath(path)
    // Everything is written to the response directly: Koa would turn errors into plain text.
    ctx.respond = false
    ctx.set({ 'x-request-id': ctx.state.requestId, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    ctx.set(crossOrigin.headers(ctx.req.headers))
    try {
      refuseOtherVersions(ctx)
      refuseAmbiguousHost(ctx.req)
      checkOrigin(ctx.req.headers)
      // Koa would parse the target, and fail on one that is not a URL.
      ctx.url = path
      const preflight = crossOrigin.preflight(ctx.method, ctx.req.headers)
      if (preflight) ctx.res.writeHead(204, preflight).end()
      else await next()
    } catch (error) {
      ctx.state.error = error
      await answerError(ctx, error)
    } finally {
      const outcome = outcomeOf(ctx)
      observed.end(outcome)
      log(logger, ctx, outcome, maskPath, performance.now() - started)
    }
  }

/** Node's parser takes a bare `GET /` as HTTP/0.9, whose clients read no headers. */
const refuseOtherVersions = ({ req, res }: RequestContext): void => {
  if (req.httpVersionMajor === 1) return
  res.setHeader('connection', 'close')
  throw failure('invalid_request', { problem: notHttp })
}

/** Refuses several `Host` headers: Node takes the first, and a proxy in front may take another one. */
const refuseAmbiguousHost = ({ rawHeaders, headers, httpVersion }: IncomingMessage): void => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  if (hosts > 1 || (headers.host === undefined && httpVersion === '1.1'))
    throw failure('invalid_request', { problem: 'there must be exactly one Host header' })
}

const outcomeOf = ({ res, state }: RequestContext): Outcome => {
  const { dialect, route, exchange, error } = state
  const code = error === undefined ? undefined : isSallyportError(error) ? error.code : 'internal'
  const status = code === undefined || res.headersSent ? res.statusCode : presentationOf(code).status
  return {
    route: route && dialect.prefix + route.path,
    status: code === 'client_closed' ? 499 : status,
    model: exchange?.model,
    code,
  }
}

/** Logs names and numbers only: bodies, answers and path parameters may hold anything. */
const log = (
  logger: Logger,
  { req, state }: RequestContext,
  { route: pattern, status, model, code }: Outcome,
  maskPath: (path: string) => string,
  milliseconds: number,
): void => {
  const { requestId, route, exchange, error } = state
  const safeguards = safeguardsHeader(exchange?.verdicts ?? [])
  const fields = {
    requestId,
    method: req.method,
    ...(pattern === undefined ? { route: 'none', path: maskPath(routingPath(req.url ?? '/')) } : { route: pattern }),
    status,
    ms: roundedMilliseconds(milliseconds),
    ...(exchange ? { tenant: exchange.context.identity.tenant } : {}),
    ...(model === undefined ? {} : { model }),
    ...exchange?.usage,
    ...(safeguards === undefined ? {} : { safeguards }),
    ...(code === undefined ? {} : { code }),
  }
  const cause = causeOf(error)
  const hasCause = cause !== error
  const level = code === undefined ? 'info' : levelOf(code, route)
  if (level === 'error') logger.error({ ...fields, err: cause }, 'request failed')
  else if (level === 'warn')
    logger.warn({ ...fields, problem: messageOf(error), ...(hasCause && { error: cause }) }, 'request refused')
  else logger[level](fields, 'request')
  if (code === 'invalid_request' && hasCause) logger.debug({ requestId, err: cause }, 'why the request was refused')
}

/** Defects are errors, and temporary failures are warnings. Load balancers poll readiness, so that is for `debug`. */
const levelOf = (code: ErrorCode, route: Route | undefined): 'debug' | 'info' | 'warn' | 'error' => {
  if (code === 'not_ready' && route?.access === 'open') return 'debug'
  const { status } = presentationOf(code)
  if (status === 500 || code === 'upstream_failed') return 'error'
  return status > 500 || status === 429 ? 'warn' : 'info'
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Ids that tracing tools generate, which may have many digits: UUIDs, and W3C ids of traces and spans. */
const generatedIds = [
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^(?=.*[a-f])(?:[\da-f]{16}|[\da-f]{32})$/i,
  /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/i,
]

const shortId = /^[\w-]{1,64}$/

/** Matches nine digits or more, with or without separators: the number of a card, an account or a telephone. */
const longNumber = /\d(?:[_-]*\d){8}/

/**
 * Takes the caller's id where it looks like an id, else makes one. It is logged, so it must not carry e-mail addresses
 * or personal numbers.
 */
const requestIdOf = (header: string): string =>
  generatedIds.some((shape) => shape.test(header)) || (shortId.test(header) && !longNumber.test(header))
    ? header
    : randomUUID()
