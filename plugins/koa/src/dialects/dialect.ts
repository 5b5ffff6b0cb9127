import type { SallyportError } from '@sallyport/core'
import { presentationOf } from './errors.js'

/** The dialects of results. */
export type DialectName = 'specification' | 'openai'

/** The dialects, each with a path prefix, in which a route answers. Cohere's clients use `/v2`. */
export type RouteDialect = DialectName | 'cohere'

/** The differences between dialects; their handlers are the same. */
export interface Dialect {
  readonly name: DialectName
  /** Before every path of the dialect. */
  readonly prefix: '' | '/v1' | '/v2'
  status(error: SallyportError): number
  errorBody(error: SallyportError): object
  /** Whether streams may hold comment lines. */
  readonly comments: boolean
  /** Whether events that have a type are named by it. */
  readonly namedEvents: boolean
}

const specification: Dialect = {
  name: 'specification',
  prefix: '',
  status: ({ code }) => presentationOf(code).status,
  errorBody: ({ message }) => ({ error: message }),
  comments: false,
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
  comments: true,
  namedEvents: true,
}

const cohere: Dialect = { ...openai, prefix: '/v2', errorBody: ({ message }) => ({ message }) }

export const dialects: Readonly<Record<RouteDialect, Dialect>> = { specification, openai, cohere }

export const routeDialects = Object.keys(dialects) as RouteDialect[]

const prefixed = [openai, cohere] as const

/** The dialect in which a path is answered, whether there is such a route or not. */
export const dialectOfPath = (path: string): Dialect =>
  prefixed.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? specification
