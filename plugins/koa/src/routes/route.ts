/** The type of a route, and constructors for routes without a request body. */

import type { Capability, CheckDescription, Kernel } from '@sallyport/core'
import { listOf, servedModel } from '../schemas/common.js'
import type { JsonObject, Schema } from '../schemas/schema.js'
import type { RouteDialect } from '../dialects/dialect.js'
import type { Limits, ServerOptions } from '../options.js'
import type { FormFields } from '../upload/fields.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'

/** Answers a request whose body has been parsed; for GET and DELETE it is an empty object. */
export type Run = (body: JsonObject, exchange: Exchange) => Promise<Answer>

/** The settings that the schemas of requests depend on. */
export interface RouteSettings extends Limits {
  /** The checks that callers may request. */
  readonly checks: ReadonlyMap<string, CheckDescription>
}

export const settingsOf = ({ checks }: Kernel, { limits }: ServerOptions): RouteSettings => ({ ...limits, checks })

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the dialect's prefix; `:name` is one path segment, `*name` is the rest. */
  readonly path: string
  readonly dialects: readonly RouteDialect[]
  readonly summary: string
  readonly tag: string
  /** The capability without which the route is not served. */
  readonly capability?: string
  /** `open` needs no key. */
  readonly access: 'key' | 'open'
  /** Whether requests wait for a slot, of which there is a limited number. */
  readonly needsAdmission: boolean
  /** Whether its answers pass the safeguards. */
  readonly guarded?: boolean
  readonly schemas?: (settings: RouteSettings) => RouteSchemas
  /** Prepares the handler. */
  readonly bind: (settings: RouteSettings) => BoundRoute
}

export interface BoundRoute {
  readonly run: Run
  /** The form fields, for routes that take a form with a file. */
  readonly form?: FormFields
  /** Compiles what the first request would otherwise wait for. */
  readonly warmUp: () => void
}

export interface RouteSchemas {
  readonly request?: Schema
  readonly isForm?: true
  readonly response?: Schema
  /** The schema of each event, where the answer can be a stream. */
  readonly chunk?: Schema
  /** Media type of an answer that is not JSON, or need not be. */
  readonly media?: string
}

/** What the definitions of all routes have. */
export interface RouteDefinition extends Pick<Route, 'path' | 'summary' | 'tag' | 'capability'> {
  /** Those of the specification and of OpenAI where absent. */
  readonly dialects?: readonly RouteDialect[]
}

export const resultDialects = ['specification', 'openai'] as const

interface BodilessRouteDefinition extends RouteDefinition {
  readonly access?: 'open'
  readonly response?: Schema
  readonly media?: string
  readonly handle: (exchange: Exchange) => Answer | Promise<Answer>
}

const withoutBody =
  (method: 'GET' | 'DELETE') =>
  (route: BodilessRouteDefinition): Route => {
    const { access = 'key', dialects = resultDialects, response, media, handle, ...rest } = route
    return {
      ...rest,
      method,
      access,
      dialects,
      needsAdmission: false,
      schemas: () => ({ ...(response ? { response } : {}), ...(media ? { media } : {}) }),
      bind: () => ({ run: async (_, exchange) => handle(exchange), warmUp: () => undefined }),
    }
  }

export const get = withoutBody('GET')

export const remove = withoutBody('DELETE')

/** GET on the path of a POST route lists the ids of its models; clients use it to test their connection. */
export const modelIdsRoute = (path: string, capability: Capability): Route =>
  get({
    path,
    capability: capability.name,
    tag: 'Discovery',
    summary: `Ids of the models for ${path}`,
    response: listOf(servedModel),
    handle: (exchange) => json(exchange.models(capability).map(({ id }) => id)),
  })
