/** The table of routes: what its rows say, and those of requests without a body. */

import type { Capability, CheckDescription } from '@sallyport/core'
import type { JsonObject } from '../schemas/schema.js'
import { listOf, servedModel } from '../schemas/common.js'
import type { Schema } from '../schemas/schema.js'
import type { RouteDialect } from '../dialects/dialect.js'
import type { Limits } from '../options.js'
import type { FormFields } from '../upload/fields.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'

/** Answers a request whose body has been parsed; for GET the body is empty. */
export type Run = (body: JsonObject, exchange: Exchange) => Promise<Answer>

/** What the schemas of requests depend on. */
export interface RouteSettings extends Limits {
  /** Those that callers may ask for. */
  readonly checks: ReadonlyMap<string, CheckDescription>
}

/** One row of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the dialect's prefix; `:name` is one step, `*name` is the rest. */
  readonly path: string
  readonly dialects: readonly RouteDialect[]
  readonly summary: string
  readonly tag: string
  /** The capability that must be provided; the route is not there otherwise. */
  readonly capability?: string
  /** `open` needs no credential. */
  readonly access: 'key' | 'open'
  /** Whether requests take a place among those that run at the same time. */
  readonly admitted: boolean
  /** Whether what its answers are made of passes the safeguards. */
  readonly guarded?: boolean
  readonly schemas?: (settings: RouteSettings) => RouteSchemas
  /** Prepares the handler. Absent where nothing implements the route: it is then not there. */
  readonly bind?: (settings: RouteSettings) => BoundRoute
}

export interface BoundRoute {
  readonly run: Run
  /** What its requests are, where they are forms with a file. */
  readonly form?: FormFields
  /** Does now what the first request would otherwise wait for. */
  readonly warmUp: () => void
}

export interface RouteSchemas {
  readonly request?: Schema
  /** Whether the request is a form. */
  readonly isForm?: true
  readonly response?: Schema
  /** Of each event, where the answer can be a stream. */
  readonly chunk?: Schema
  /** Media type of an answer that is not JSON, or need not be. */
  readonly media?: string
}

export interface RouteInput {
  readonly path: string
  readonly dialects: readonly RouteDialect[]
  readonly summary: string
  readonly tag: string
  readonly capability?: string
}

interface SimpleRoute extends RouteInput {
  readonly access?: 'open'
  readonly response?: Schema
  readonly media?: string
  readonly handle: (exchange: Exchange) => Answer | Promise<Answer>
}

const withoutBody =
  (method: 'GET' | 'DELETE') =>
  (route: SimpleRoute): Route => {
    const { access = 'key', response, media, handle, ...rest } = route
    return {
      ...rest,
      method,
      access,
      admitted: false,
      schemas: () => ({ ...(response ? { response } : {}), ...(media ? { media } : {}) }),
      bind: () => ({ run: async (_, exchange) => handle(exchange), warmUp: () => undefined }),
    }
  }

/** A route that reads something. */
export const get = withoutBody('GET')

/** A route that removes what its path names. */
export const remove = withoutBody('DELETE')

/** GET on a path that takes requests: the ids of the models usable there. Clients check their connection with it. */
export const connectionCheck = (path: string, capability: Capability): Route =>
  get({
    path,
    dialects: ['specification', 'openai'],
    capability: capability.name,
    tag: 'Discovery',
    summary: `Ids of the models for ${path}`,
    response: listOf(servedModel),
    handle: (exchange) => json(exchange.models(capability).map(({ id }) => id)),
  })
