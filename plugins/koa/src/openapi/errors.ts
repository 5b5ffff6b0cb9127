import { routeDialects } from '../dialects/dialect.js'
import type { RouteDialect } from '../dialects/dialect.js'
import type { Route } from '../routes/route.js'
import { opaque } from '../schemas/common.js'
import { answerHeaders } from './headers.js'
import { receipts, spans } from '../schemas/receipt.js'

const problem = opaque('made by the server: names what was wrong, and quotes no text')
const word = opaque('one of a few words')

export const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: { ...problem, description: 'what was wrong, and what to do' },
      spans: { ...spans, description: 'where a safeguard blocked a document, or what a tool said' },
      safeguards: receipts,
    },
  },
  OpenAiError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['message', 'type', 'code', 'param'],
        properties: {
          message: problem,
          type: word,
          code: word,
          param: { ...problem, type: ['string', 'null'], description: 'path of the field' },
        },
      },
      safeguards: receipts,
    },
  },
  CohereError: { type: 'object', required: ['message'], properties: { message: problem, safeguards: receipts } },
} as const

export const headers = {
  RequestId: { description: 'quote it when you report a problem', schema: answerHeaders['x-request-id'] },
  Safeguards: {
    description: 'what the checks decided, where some ran: names and verdicts, as in secrets=replace,words=pass',
    schema: answerHeaders['x-safeguards'],
  },
  RetryAfter: { description: 'seconds', schema: { type: 'integer', minimum: 1 } },
} as const

/** The descriptions of errors by status. */
const descriptions: Readonly<Record<number, string>> = {
  400: 'a bad request, or one that a safeguard blocked',
  401: 'missing or invalid key',
  403: 'missing or invalid key, or a host or origin that is not served',
  404: 'no such route, model or response',
  405: 'wrong method',
  408: 'the body came too slowly',
  413: 'the body is too large',
  415: 'the body is of another media type, or compressed',
  429: 'too many requests',
  500: 'something went wrong on the server',
  503: 'loading, draining, or unavailable',
  504: 'the deadline has passed',
}

const always = [400, 403, 405, 500, 503]
const withKey = [404]
const withBody = [408, 413, 415, 429, 504]
const retried = new Set([429, 503])

const names: Readonly<Record<RouteDialect, { readonly response: string; readonly schema: keyof typeof errorSchemas }>> =
  {
    specification: { response: 'Error', schema: 'Error' },
    openai: { response: 'OpenAi', schema: 'OpenAiError' },
    cohere: { response: 'Cohere', schema: 'CohereError' },
  }

const nameOf = (status: number, dialect: RouteDialect) => `${names[dialect].response}${status}`

/** Components that the operations refer to. */
export const errorComponents = (): Record<string, object> =>
  Object.fromEntries(
    routeDialects.flatMap((dialect) =>
      Object.entries(descriptions).map(([status, description]) => [
        nameOf(Number(status), dialect),
        component(Number(status), description, dialect),
      ]),
    ),
  )

const component = (status: number, description: string, dialect: RouteDialect) => ({
  description,
  headers: {
    'x-request-id': { $ref: '#/components/headers/RequestId' },
    'x-safeguards': { $ref: '#/components/headers/Safeguards' },
    ...(retried.has(status) ? { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } : {}),
  },
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${names[dialect].schema}` } } },
})

/** The error responses of an operation, by status. */
export const errorResponses = ({ method, access }: Route, dialect: RouteDialect): Record<string, object> => {
  const unauthenticated = dialect !== 'specification' && access === 'key' ? [401] : []
  const statuses = [
    ...always,
    ...unauthenticated,
    ...(access === 'key' ? withKey : []),
    ...(method === 'POST' ? withBody : []),
  ]
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status, dialect)}` }]),
  )
}
