/** The part of the document that is about errors. */

import { dialects } from '../dialects/dialect.js'
import type { Dialect } from '../dialects/dialect.js'
import type { Route } from '../routes/route.js'

export const errorSchemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string', description: 'what was wrong, and what to do' } },
  },
  OpenAiError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['message', 'type', 'code', 'param'],
        properties: {
          message: { type: 'string' },
          type: { type: 'string' },
          code: { type: 'string' },
          param: { type: ['string', 'null'], description: 'path of the field' },
        },
      },
    },
  },
} as const

export const headers = {
  RequestId: { description: 'quote it when you report a problem', schema: { type: 'string' } },
  RetryAfter: { description: 'seconds', schema: { type: 'integer', minimum: 1, maximum: 60 } },
} as const

const always = {
  405: 'wrong method',
  500: 'something went wrong on the server',
  503: 'loading, draining, or unavailable',
}
const withKey = { 404: 'no such route or model' }
const withBody = {
  400: 'a bad request, or one that a safeguard blocked',
  408: 'the body came too slowly',
  413: 'the body is too large',
  415: 'the body is not JSON',
  429: 'too many requests',
  504: 'the deadline has passed',
}

const retried = ['429', '503']

/** By status. */
export const errorResponses = ({ method, access }: Route, dialect: Dialect): Record<string, object> => {
  const schema = { $ref: `#/components/schemas/${dialect === dialects.openai ? 'OpenAiError' : 'Error'}` }
  const unauthenticated =
    dialect === dialects.openai ? { 401: 'no or bad key', 403: 'refused' } : { 403: 'no or bad key' }
  const descriptions: Record<string, string> = {
    ...always,
    ...(access === 'key' ? { ...withKey, ...unauthenticated } : { 403: 'refused' }),
    ...(method === 'POST' ? withBody : { 400: 'a bad request' }),
  }
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      {
        description,
        headers: {
          'x-request-id': { $ref: '#/components/headers/RequestId' },
          ...(retried.includes(status) ? { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } : {}),
        },
        content: { 'application/json': { schema } },
      },
    ]),
  )
}
