/**
 * Cross-origin requests: which web pages may read the server's answers
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Browsers ask further permission before a page of a public
 * network may reach a private one: the server never gives it.
 */

import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'

type Headers = Readonly<Record<string, string>>

/** The headers of answers that a page may read besides the few that browsers always show. */
const exposedHeaders =
  'x-request-id, x-safeguards, retry-after, x-ratelimit-limit-requests, x-ratelimit-remaining-requests, ' +
  'x-ratelimit-reset-requests, x-ratelimit-limit-tokens, x-ratelimit-remaining-tokens, x-ratelimit-reset-tokens'

/** Seconds for which a browser may cache the answer to a preflight. */
const preflightMaxAge = '600'

/** Matches comma-separated header names; nothing else may be copied from a request into a header. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/

export class CrossOrigin {
  private readonly origins: ReadonlySet<string>

  /** @param origins the origins of pages (`https://app.example.com`), or `*` for all */
  constructor(origins: readonly string[]) {
    this.origins = new Set(origins.map(normalizedOrigin))
  }

  allows(origin: string): boolean {
    return this.origins.has('*') || this.origins.has(origin)
  }

  /** The CORS headers of every answer. */
  headers({ origin }: IncomingHttpHeaders): Headers {
    if (this.origins.size === 0) return {}
    if (origin === undefined || !this.allows(origin)) return { vary: 'Origin' }
    return {
      vary: 'Origin',
      'access-control-allow-origin': this.origins.has('*') ? '*' : origin,
      'access-control-expose-headers': exposedHeaders,
    }
  }

  /** The headers that answer a preflight, which a browser sends without a key; undefined for any other request. */
  preflight(method: string, headers: IncomingHttpHeaders): Headers | undefined {
    const {
      origin,
      'access-control-request-method': requestedMethod,
      'access-control-request-headers': names = '',
    } = headers
    if (method !== 'OPTIONS' || requestedMethod === undefined || origin === undefined || !this.allows(origin))
      return undefined
    return {
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      // Clients have headers of their own (x-stainless-os); * would not include Authorization.
      ...(headerNames.test(names) ? { 'access-control-allow-headers': names } : {}),
      'access-control-max-age': preflightMaxAge,
    }
  }
}

/** Writes an origin as browsers do: in lower case, and without the default port of its scheme. */
const normalizedOrigin = (origin: string): string =>
  /^https?:/i.test(origin) && URL.canParse(origin) ? new URL(origin).origin : origin.toLowerCase()

/**
 * Checks the headers of a request where authentication is off. A web page in a browser on the same machine could reach
 * the server by a host name that resolves to 127.0.0.1 (DNS rebinding), or by a cross-site request.
 * @throws forbidden for both
 */
export type OriginCheck = (headers: IncomingHttpHeaders) => void

/** Makes the check, which lets pages pass whose origin the operator allows. */
export const originCheck = (allowedHosts: readonly string[], crossOrigin: CrossOrigin): OriginCheck => {
  if (allowedHosts.includes('*')) return () => undefined
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  return (headers) => {
    if (!allowed.has(hostName(headers.host ?? '')))
      throw failure('forbidden', { problem: 'this host name is not served: add it to server.allowedHosts' })
    const { origin } = headers
    if (origin !== undefined && crossOrigin.allows(origin)) return
    const foreign = origin !== undefined && !allowed.has(hostName(origin.replace(/^https?:\/\//i, '')))
    if (foreign || headers['sec-fetch-site'] === 'cross-site')
      throw failure('forbidden', { problem: 'requests from other sites are refused while authentication is off' })
  }
}

/** Strips the port, and writes the name in lower case. */
const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')
