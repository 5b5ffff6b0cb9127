/** The Koa application and the Node handler, for the server and for programs that mount them elsewhere. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from '@koa/router'
import { didYouMean } from '@sallyport/kit/text'
import { discreetLogger } from '@sallyport/kit/logging'
import { failure, silentLogger, systemCode } from '@sallyport/core'
import type { Kernel, Logger } from '@sallyport/core'
import Koa from 'koa'
import { RequestAudits } from './audit/request-audit.js'
import type { Authenticator } from './auth/credential.js'
import type { AuditLogOptions } from './audit/audit-log.js'
import { KeyStore } from './auth/key-store.js'
import { dialects } from './dialects/dialect.js'
import { CrossOrigin, originCheck } from './http/cors.js'
import { entry } from './http/entry.js'
import { pathMask } from './http/path.js'
import { Pipeline } from './http/pipeline.js'
import type { RequestContext, RequestState } from './http/state.js'
import { completeOptions } from './options.js'
import { UsageDatabase, usageFile } from './quotas/usage-database.js'
import type { UsageStore } from './quotas/usage-store.js'
import type { ServerOptions, ServerOptionsInput } from './options.js'
import { routesOf, servedRoutes } from './routes/index.js'
import { metricsRoutes } from './routes/metrics.js'
import type { Route } from './routes/route.js'
import { specificationOptions } from './safeguards/specification-checks.js'

/** The options of programs that embed the adapter. Requests need a key unless `auth` is false. */
export interface AppOptions extends ServerOptionsInput {
  readonly keys?: Authenticator
  /** The state directory whose keys are valid, where `keys` is absent. */
  readonly home?: string
  /** Messages of errors, which may quote users, are left out of what it gets. */
  readonly logger?: Logger
}

/** A Node request handler, as `http.createServer` and the usual frameworks take it. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * @throws config_invalid when requests need keys and no source of keys is given, and for an unusable database of
 * responses
 */
export const createApp = (kernel: Kernel, options: AppOptions = {}): Koa<RequestState> => {
  const { keys, home, logger = silentLogger, ...server } = options
  const complete = completeOptions(server)
  checkServable(kernel, complete)
  const authenticator = complete.auth ? (keys ?? storedKeys(home)) : undefined
  const { audit, responses } = complete
  const state = audit || responses.store ? stateOf(authenticator, home) : undefined
  const secret = responses.store && state && storeSecret(state)
  const discreet = discreetLogger(logger)
  const audits = audit && openAudits(audit, state, discreet)
  const usage = home === undefined ? undefined : usageIn(home, complete)
  const { app, pipeline } = composeApp(kernel, complete, authenticator, discreet, secret, audits, usage)
  pipeline.openResponses()
  return app
}

/** Makes what {@link createApp} makes, as a handler to mount: `express().use(handler(kernel, { auth: false }))`. */
export const handler = (kernel: Kernel, options?: AppOptions): NodeHandler => nodeHandler(createApp(kernel, options))

/** The secret to encrypt stored responses. */
export const storeSecret = (store: KeyStore): Uint8Array => store.secretFor('stored responses')

/** What keys have used, of the servers of a state directory. */
export const usageIn = (home: string, { quotas }: Pick<ServerOptions, 'quotas'>): UsageStore =>
  new UsageDatabase(usageFile(home), quotas.sync)

/** What knows the server's secret; undefined for keys that are stored elsewhere, where there is no state directory. */
const stateOf = (keys: Authenticator | undefined, home: string | undefined): KeyStore | undefined => {
  if (keys instanceof KeyStore) return keys
  return home === undefined ? undefined : new KeyStore(home)
}

const openAudits = (options: AuditLogOptions, state: KeyStore | undefined, logger: Logger): RequestAudits => {
  if (state) return RequestAudits.open(options, state, logger)
  throw failure('config_invalid', {
    where: 'audit',
    problem: 'needs a state directory, whose secret signs: pass { home }',
  })
}

const storedKeys = (home: string | undefined): Authenticator => {
  if (home !== undefined) return new KeyStore(home)
  throw failure('config_invalid', {
    problem:
      'authentication is on, but there is no source of keys: pass { home } or { keys }, or { auth: false } where a proxy in front authenticates',
  })
}

export const nodeHandler = (app: Koa<RequestState>): NodeHandler => {
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}

/** @throws config_invalid for names of checks that are ambiguous in requests, and for invalid bindings of policies */
export const checkServable = (kernel: Kernel, options: ServerOptions): void => {
  for (const { option, owner } of specificationOptions)
    if (kernel.checks.has(option) && option !== owner.check)
      throw failure('config_invalid', {
        where: `the check "${option}"`,
        problem: `"${option}" is already an option of the check "${owner.check}" in requests: give the check another name`,
      })
  checkPolicies(kernel, options)
}

/** @throws config_invalid for a path or a policy that does not exist, and for a path where no policy does anything */
const checkPolicies = (kernel: Kernel, { policies }: ServerOptions): void => {
  const routes = routesOf(kernel)
  const paths = new Set(routes.map(({ path }) => path))
  const guarded = new Set(routes.flatMap((route) => (route.guarded ? [route.path] : [])))
  for (const [path, name] of Object.entries(policies)) {
    const where = `server.policies["${path}"]`
    const refused = (problem: string) => failure('config_invalid', { where, problem, option: ['policies', path] })
    if (!paths.has(path)) throw refused(`no route has this path${didYouMean(path, [...guarded])}`)
    if (!guarded.has(path))
      throw refused(`the answers of this route do not pass the safeguards; those of ${[...guarded].join(', ')} do`)
    if (!kernel.policies.has(name))
      throw refused(`no policy is called "${name}"${didYouMean(name, [...kernel.policies])}`)
  }
}

export const composeApp = (
  kernel: Kernel,
  options: ServerOptions,
  keys: Authenticator | undefined,
  logger: Logger,
  secret?: Uint8Array,
  audits?: RequestAudits,
  usage?: UsageStore,
): { readonly app: Koa<RequestState>; readonly pipeline: Pipeline } => {
  const app = new Koa<RequestState>()
  const routes = [...routesOf(kernel), ...metricsRoutes(kernel, options)]
  const pipeline = new Pipeline({ kernel, options, keys, secret, audits, usage, logger, routes })
  const router = new Router<RequestState>()
  const routeByLayer: RouteByLayer = new Map()
  for (const route of routes) {
    const run = pipeline.handlerFor(route)
    for (const path of pathsOf(route)) {
      const layer = router.register(path, [route.method], (ctx) => run(ctx))
      routeByLayer.set(layer, route)
    }
  }
  app.on('error', (error: unknown) => logWriteError(logger, error))
  const crossOrigin = new CrossOrigin(options.cors.origins)
  const checkOrigin = keys ? () => undefined : originCheck(options.allowedHosts, crossOrigin)
  app.use(entry({ logger, checkOrigin, crossOrigin, maskPath: pathMask(routes.flatMap(pathsOf)) }))
  app.use(router.routes())
  app.use((ctx) => refuseUnmatched(ctx, pipeline, routeByLayer, servedRoutes(routes, kernel.capabilities)))
  return { app, pipeline }
}

/** Codes of the errors on a connection whose client has disconnected. */
const disconnectCodes: ReadonlySet<string | undefined> = new Set([
  ...['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT'],
  ...['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'],
])

const logWriteError = (logger: Logger, error: unknown): void => {
  const code = systemCode(error)
  if (disconnectCodes.has(code)) logger.debug({ code }, 'the client left before its answer was written')
  else logger.error({ err: error }, 'the answer could not be written')
}

/** The full paths of a route, one for each dialect. */
export const pathsOf = ({ path, dialects: names }: Route): string[] => names.map((name) => dialects[name].prefix + path)

/** Maps each of the router's layers to its route. */
type RouteByLayer = Map<object, Route>

/**
 * Refuses a request whose method and path match no route.
 * @throws unauthenticated, capability_missing, method_not_allowed, route_not_found
 */
const refuseUnmatched = (
  ctx: RequestContext,
  pipeline: Pipeline,
  routeByLayer: RouteByLayer,
  served: readonly Route[],
): never => {
  const layers = (ctx['matched'] ?? []) as readonly { methods: readonly string[] }[]
  const matched = layers.flatMap((layer) => {
    const route = routeByLayer.get(layer)
    return route ? [{ route, methods: layer.methods }] : []
  })
  if (!matched.some(({ route }) => route.access === 'open')) pipeline.identify(ctx)
  const [first] = matched
  if (!first) throw failure('route_not_found', { method: ctx.method, path: ctx.path.slice(0, 256) })
  const allowed = new Set(matched.filter(({ route }) => served.includes(route)).flatMap(({ methods }) => methods))
  if (!allowed.size) throw failure('capability_missing', { capability: first.route.capability ?? first.route.path })
  throw failure('method_not_allowed', { method: ctx.method, allowed: [...allowed].sort() })
}
