import type { SallyportError } from '@sallyport/core'
import { presentationOf } from './errors.js'

/** How results are written; Cohere's route writes its own. */
export type ResultDialect = 'specification' | 'openai'

/** The dialect of a path prefix; Cohere's clients use `/v2`. */
export type RouteDialect = ResultDialect | 'cohere'

/** The differences between dialects; their handlers are the same. */
export interface Dialect {
  readonly name: ResultDialect
  /** The prefix of every path of the dialect. */
  readonly prefix: '' | '/v1' | '/v2'
  status(error: SallyportError): number
  errorBody(error: SallyportError): object
  /** Whether streams may have keep-alive comments. */
  readonly keepAliveComments: boolean
  /** Whether events that have a type are named by it. */
  readonly namedEvents: boolean
}

const specification: Dialect = {
  name: 'specification',
  prefix: '',
  status: ({ code }) => presentationOf(code).status,
  errorBody: ({ message }) => ({ error: message }),
  keepAliveComments: false,
  namedEvents: false,
}

const openai: Dialect = {
  name: 'openai',
  prefix: '/v1',
  status: ({ code }) => {
    const { status, openAiStatus } = presentationOf(code)
    return openAiStatus ?? status
  },
  errorBody: ({ code, message, details }) => {
    const { type, openAiCode } = presentationOf(code)
    const param = typeof details['field'] === 'string' ? details['field'] : null
    return { error: { message, type, code: openAiCode ?? code, param } }
  },
  keepAliveComments: true,
  namedEvents: true,
}

const cohere: Dialect = { ...openai, prefix: '/v2', errorBody: ({ message }) => ({ message }) }

export const dialects: Readonly<Record<RouteDialect, Dialect>> = { specification, openai, cohere }

export const routeDialects = Object.keys(dialects) as RouteDialect[]

const prefixed = [openai, cohere] as const

/** The dialect in which a path is answered, whether there is such a route or not. */
export const dialectOfPath = (path: string): Dialect =>
  prefixed.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? specification
