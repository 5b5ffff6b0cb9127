/** The headers and path parameters of requests and answers. None of them is text. */

import type { Schema } from '../schemas/schema.js'
import { specificationOptions } from '../safeguards/specification-checks.js'
import { opaque } from '../schemas/common.js'

type HeaderSchemas = Readonly<Record<string, Schema>>

const framing = opaque('read for how the body is sent, and shown to nobody')
const credential = opaque('compared with keys, and shown to nobody')
const host = opaque('compared with the hosts that are served, and shown to nobody')
const connection = opaque('of the connection')
const always = opaque('always the same')
const safeguard = opaque('one of a few words, or names of entity types: all else is refused')

/** Headers that are read; all others are ignored. */
export const requestHeaders: HeaderSchemas = {
  authorization: credential,
  'x-api-key': credential,
  'x-request-id': opaque(
    'how the caller names the request in answers and logs: letters, digits, _ and -, and no long number',
  ),
  'x-safeguards-receipt': opaque('true or false'),
  'content-type': framing,
  'content-length': framing,
  'content-encoding': framing,
  'transfer-encoding': framing,
  connection,
  host,
  origin: host,
  'sec-fetch-site': host,
  'access-control-request-method': opaque('the method of another request'),
  'access-control-request-headers': opaque('names of headers of another request'),
  ...Object.fromEntries(
    specificationOptions.flatMap(({ header }) => (header === undefined ? [] : [[header, safeguard]])),
  ),
}

/** Headers of answers. */
export const answerHeaders: HeaderSchemas = {
  'x-request-id': opaque('as in the request, or made by the server'),
  'x-safeguards': opaque('names of checks and verdicts'),
  'retry-after': opaque('seconds'),
  ...Object.fromEntries(
    ['limit', 'remaining', 'reset'].flatMap((what) =>
      ['requests', 'tokens'].map((of) => [`x-ratelimit-${what}-${of}`, opaque('a number or a duration')]),
    ),
  ),
  allow: opaque('methods'),
  'www-authenticate': always,
  'content-type': opaque('one of a few'),
  'content-length': opaque('a number'),
  'cache-control': always,
  'x-content-type-options': always,
  'x-accel-buffering': always,
  connection,
  'keep-alive': connection,
  'transfer-encoding': connection,
  date: opaque('a date'),
  vary: always,
  'access-control-allow-origin': opaque('an origin of the configuration'),
  'access-control-expose-headers': always,
  'access-control-allow-methods': always,
  'access-control-allow-headers': opaque('names of headers that the request asks for'),
  'access-control-max-age': always,
}

/** Path parameters by name. A query is ignored. */
export const pathParameters: HeaderSchemas = {
  capability: opaque('must equal the name of a listed capability'),
  check: opaque('must equal the name of a check'),
  id: opaque('must equal the name of a model'),
}
