import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { failure, isSallyportError } from '@sallyport/core'
import type { ErrorCode, Logger } from '@sallyport/core'
import type { Middleware } from 'koa'
import { dialectOfPath } from '../dialects/dialect.js'
import { presentationOf } from '../dialects/errors.js'
import { roundedMilliseconds } from '../dialects/values.js'
import type { Route } from '../routes/route.js'
import { safeguardsHeader } from '../safeguards/receipts.js'
import { answerError } from './answer-error.js'
import { notHttp } from './client-errors.js'
import type { CrossOrigin, OriginCheck } from './cors.js'
import { routingPath } from './path.js'
import type { RequestContext, RequestState } from './state.js'

interface EntryParts {
  readonly logger: Logger
  readonly checkOrigin: OriginCheck
  /** Web pages that may read answers. */
  readonly pages: CrossOrigin
  readonly shownPath: (path: string) => string
}

/** The first to see a request and the last to see its answer: ids, headers of every answer, errors, the access log. */
export const entry =
  ({ logger, checkOrigin, pages, shownPath }: EntryParts): Middleware<RequestState> =>
  async (ctx: RequestContext, next) => {
    const started = performance.now()
    const path = routingPath(ctx.req.url ?? '/')
    ctx.state.requestId = requestIdOf(ctx.get('x-request-id'))
    ctx.state.dialect = dialectOfPath(path)
    // Everything is written to the response directly: Koa would turn errors into plain text.
    ctx.respond = false
    ctx.set({ 'x-request-id': ctx.state.requestId, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    ctx.set(pages.headers(ctx.req.headers))
    try {
      refuseOtherVersions(ctx)
      refuseAmbiguousHost(ctx.req)
      checkOrigin(ctx.req.headers)
      // Koa would parse the target, and fail on one that is no URL.
      ctx.url = path
      const preflight = pages.preflight(ctx.method, ctx.req.headers)
      if (preflight) ctx.res.writeHead(204, preflight).end()
      else await next()
    } catch (error) {
      ctx.state.error = error
      await answerError(ctx, error)
    } finally {
      log(logger, ctx, shownPath, performance.now() - started)
    }
  }

/** Node's parser takes `GET /` alone for HTTP/0.9, and answers it with headers that no such client reads. */
const refuseOtherVersions = ({ req, res }: RequestContext): void => {
  if (req.httpVersionMajor === 1) return
  res.setHeader('connection', 'close')
  throw failure('invalid_request', { problem: notHttp })
}

/** Node takes the first of several `Host` headers; whoever stands in front may take another one. */
const refuseAmbiguousHost = ({ rawHeaders, headers, httpVersion }: IncomingMessage): void => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  if (hosts > 1 || (headers.host === undefined && httpVersion === '1.1'))
    throw failure('invalid_request', { problem: 'there must be exactly one Host header' })
}

/** Names and numbers only: bodies, answers and the steps of a path that a route leaves open may hold anything. */
const log = (
  logger: Logger,
  { req, res, state }: RequestContext,
  shownPath: (path: string) => string,
  milliseconds: number,
): void => {
  const { requestId, dialect, route, exchange, error } = state
  const code = error === undefined ? undefined : isSallyportError(error) ? error.code : 'internal'
  const status = code === undefined || res.headersSent ? res.statusCode : presentationOf(code).status
  const safeguards = safeguardsHeader(exchange?.verdicts ?? [])
  const fields = {
    requestId,
    method: req.method,
    ...(route
      ? { route: dialect.prefix + route.path }
      : { route: 'none', path: shownPath(routingPath(req.url ?? '/')) }),
    status: code === 'client_closed' ? 499 : status,
    ms: roundedMilliseconds(milliseconds),
    ...(exchange ? { tenant: exchange.context.identity.tenant } : {}),
    ...(exchange?.model === undefined ? {} : { model: exchange.model }),
    ...exchange?.usage,
    ...(safeguards === undefined ? {} : { safeguards }),
    ...(code === undefined ? {} : { code }),
  }
  const level = code === undefined ? 'info' : levelOf(code, route)
  if (level === 'error') logger.error({ ...fields, err: causeOf(error) }, 'request failed')
  else if (level === 'warn') logger.warn({ ...fields, problem: messageOf(error), ...causeIn(error) }, 'request refused')
  else logger[level](fields, 'request')
  if (code === 'invalid_request' && causeOf(error) !== error)
    logger.debug({ requestId: fields.requestId, err: causeOf(error) }, 'why the request was refused')
}

/** Defects are errors; what passes by itself is a warning. Load balancers ask every second whether models are ready. */
const levelOf = (code: ErrorCode, route: Route | undefined): 'debug' | 'info' | 'warn' | 'error' => {
  if (code === 'not_ready' && route?.access === 'open') return 'debug'
  const { status } = presentationOf(code)
  if (status === 500 || code === 'upstream_failed') return 'error'
  return status > 500 || status === 429 ? 'warn' : 'info'
}

const causeOf = (error: unknown): unknown => (isSallyportError(error) ? (error.cause ?? error) : error)

const causeIn = (error: unknown): { error?: unknown } => (causeOf(error) === error ? {} : { error: causeOf(error) })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What tools make of digits, mostly: UUIDs, ids of traces and spans (W3C Trace Context). */
const made = [
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^(?=.*[a-f])(?:[\da-f]{16}|[\da-f]{32})$/i,
  /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/i,
]

const short = /^[\w-]{1,64}$/

/** As many as a number of a card, an account or a telephone has at least, with separators between them. */
const longNumber = /\d(?:[_-]*\d){8}/

/**
 * The caller's id of a request where it looks like one, else a new one: it stands in the log, and must not carry the
 * addresses and numbers of whom the request is about there.
 */
const requestIdOf = (given: string): string =>
  made.some((shape) => shape.test(given)) || (short.test(given) && !longNumber.test(given)) ? given : randomUUID()
