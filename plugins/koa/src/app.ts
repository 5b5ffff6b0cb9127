/** The Koa application and the Node handler, for the server and for programs that mount them elsewhere. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from '@koa/router'
import { didYouMean } from '@sallyport/kit/text'
import { discreetLogger } from '@sallyport/kit/logging'
import { failure, silentLogger, systemCode } from '@sallyport/core'
import type { Kernel, Logger } from '@sallyport/core'
import Koa from 'koa'
import type { Authenticator } from './auth/credential.js'
import { KeyStore } from './auth/key-store.js'
import { dialects } from './dialects/dialect.js'
import { CrossOrigin, originCheck } from './http/cors.js'
import { entry } from './http/entry.js'
import { shownPathAmong } from './http/path.js'
import { Pipeline } from './http/pipeline.js'
import type { RequestContext, RequestState } from './http/state.js'
import { completeOptions } from './options.js'
import type { ServerOptions, ServerOptionsInput } from './options.js'
import { routesOf, servedRoutes } from './routes/index.js'
import type { Route } from './routes/route.js'
import { speltOptions } from './safeguards/spellings.js'

/** For programs that embed the adapter. Keys are asked for unless `auth` is false. */
export interface AppOptions extends ServerOptionsInput {
  /** What knows the keys. */
  readonly keys?: Authenticator
  /** The directory whose keys count, where `keys` is absent. */
  readonly home?: string
  /** Gets errors without messages that may quote users. */
  readonly logger?: Logger
}

/** A Node request handler, as `http.createServer` and the usual frameworks take it. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/** @throws config_invalid when keys are asked for and none can be known, and for an unusable file of responses */
export const createApp = (kernel: Kernel, options: AppOptions = {}): Koa<RequestState> => {
  const { keys, home, logger = silentLogger, ...server } = options
  const complete = completeOptions(server)
  checkServable(kernel, complete)
  const composed = composeApp(
    kernel,
    complete,
    complete.auth ? (keys ?? storedKeys(home)) : undefined,
    discreetLogger(logger),
  )
  composed.openResponses()
  return composed.app
}

/** As {@link createApp}, for mounting: `express().use(handler(kernel, { auth: false }))`. */
export const handler = (kernel: Kernel, options?: AppOptions): NodeHandler => nodeHandler(createApp(kernel, options))

const storedKeys = (home: string | undefined): Authenticator => {
  if (home !== undefined) return new KeyStore(home)
  throw failure('config_invalid', {
    problem:
      'the adapter asks for keys and has none: pass { home }, { keys }, or { auth: false } where something in front of it authenticates',
  })
}

export const nodeHandler = (app: Koa<RequestState>): NodeHandler => {
  const handle = app.callback()
  return (request, response) => void handle(request, response)
}

interface ComposedApp {
  readonly app: Koa<RequestState>
  /** Looks at what requests will need. @throws config_invalid */
  readonly prepare: () => Promise<void>
  /** The part of `prepare` that requests cannot do without. @throws config_invalid */
  readonly openResponses: () => void
  /** Does what the first requests would otherwise wait for. */
  readonly warmUp: () => Promise<void>
  /** Frees what requests needed. */
  readonly close: () => void
}

/** @throws config_invalid for names of checks, and bindings of policies, that requests could not be answered by */
export const checkServable = (kernel: Kernel, options: ServerOptions): void => {
  checkNames(kernel)
  checkPolicies(kernel, options)
}

/** @throws config_invalid for a check that is called like an option of another in requests */
const checkNames = ({ checks }: Kernel): void => {
  for (const { option, of } of speltOptions)
    if (checks.has(option) && option !== of.check)
      throw failure('config_invalid', {
        where: `the check "${option}"`,
        problem: `requests have "${option}" as an option of the check "${of.check}": one of both needs another name`,
      })
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
      throw refused(`nothing that this route answers passes the safeguards: ${[...guarded].join(', ')} do`)
    if (!kernel.policies.has(name))
      throw refused(`no policy is called "${name}"${didYouMean(name, [...kernel.policies])}`)
  }
}

export const composeApp = (
  kernel: Kernel,
  options: ServerOptions,
  keys: Authenticator | undefined,
  logger: Logger,
): ComposedApp => {
  const app = new Koa<RequestState>()
  const routes = routesOf(kernel)
  const pipeline = new Pipeline({ kernel, options, keys, logger, routes })
  const router = new Router<RequestState>()
  const rows: Rows = new Map()
  for (const route of routes) {
    const run = pipeline.for(route)
    for (const path of pathsOf(route))
      rows.set(
        router.register(path, [route.method], (ctx) => run(ctx)),
        route,
      )
  }
  app.on('error', (error: unknown) => logUnwritten(logger, error))
  const pages = new CrossOrigin(options.cors.origins)
  const checkOrigin = keys ? () => undefined : originCheck(options.allowedHosts, pages)
  app.use(entry({ logger, checkOrigin, pages, shownPath: shownPathAmong(routes.flatMap(pathsOf)) }))
  app.use(router.routes())
  app.use((ctx) => refuse(ctx, pipeline, rows, servedRoutes(routes, kernel.capabilities)))
  return {
    app,
    prepare: () => pipeline.prepare(),
    openResponses: () => pipeline.openResponses(),
    warmUp: () => pipeline.warmUp(),
    close: () => pipeline.close(),
  }
}

/** What a connection fails with whose client has gone. */
const goneCodes: ReadonlySet<string | undefined> = new Set([
  ...['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT'],
  ...['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'],
])

const logUnwritten = (logger: Logger, error: unknown): void => {
  const code = systemCode(error)
  if (goneCodes.has(code)) logger.debug({ code }, 'the client left before its answer was written')
  else logger.error({ err: error }, 'the answer could not be written')
}

/** With the prefixes of the dialects. */
export const pathsOf = ({ path, dialects: names }: Route): string[] => names.map((name) => dialects[name].prefix + path)

/** The row behind each of the router's layers. */
type Rows = Map<object, Route>

/** No row answers this method of this path. @throws unauthenticated, capability_missing, method_not_allowed, route_not_found */
const refuse = (ctx: RequestContext, pipeline: Pipeline, rows: Rows, served: readonly Route[]): never => {
  const layers = (ctx['matched'] ?? []) as readonly { methods: readonly string[] }[]
  const matched = layers.flatMap((layer) => {
    const route = rows.get(layer)
    return route ? [{ route, methods: layer.methods }] : []
  })
  if (!matched.some(({ route }) => route.access === 'open')) pipeline.identify(ctx)
  const [first] = matched
  if (!first) throw failure('route_not_found', { method: ctx.method, path: ctx.path.slice(0, 256) })
  const allowed = new Set(matched.filter(({ route }) => served.includes(route)).flatMap(({ methods }) => methods))
  if (!allowed.size) throw failure('capability_missing', { capability: first.route.capability ?? first.route.path })
  throw failure('method_not_allowed', { method: ctx.method, allowed: [...allowed].sort() })
}
