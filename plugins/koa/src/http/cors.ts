/**
 * Cross-origin requests: which web pages may read the server's answers
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). Browsers ask further permission before a page of a public
 * network may reach a private one: the server never gives it.
 */

import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'

type Headers = Readonly<Record<string, string>>

/** The response headers that a page may read besides the few that browsers always show. */
const exposed = 'x-request-id, x-safeguards, retry-after'

/** Seconds for which a browser may remember the answer to a preflight. */
const remembered = '600'

/** Header names with commas between them, as browsers send them: nothing else may go back into a header. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:, ?[\w!#$%&'*+.^`|~-]+)*$/

export class CrossOrigin {
  private readonly origins: ReadonlySet<string>

  /** @param origins of pages (`https://app.example.com`), or `*` for every one */
  constructor(origins: readonly string[]) {
    this.origins = new Set(origins.map(asBrowsersWrite))
  }

  allows(origin: string): boolean {
    return this.origins.has('*') || this.origins.has(origin)
  }

  /** The headers that every answer has. */
  headers({ origin }: IncomingHttpHeaders): Headers {
    if (this.origins.size === 0) return {}
    if (origin === undefined || !this.allows(origin)) return { vary: 'Origin' }
    return {
      vary: 'Origin',
      'access-control-allow-origin': this.shown(origin),
      'access-control-expose-headers': exposed,
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
      // Clients have headers of their own (x-stainless-os); * would not stand for Authorization.
      ...(headerNames.test(names) ? { 'access-control-allow-headers': names } : {}),
      'access-control-max-age': remembered,
    }
  }

  private shown(origin: string): string {
    return this.origins.has('*') ? '*' : origin
  }
}

/** The origin in lower case, and without the default port of its scheme. */
const asBrowsersWrite = (origin: string): string =>
  /^https?:/i.test(origin) && URL.canParse(origin) ? new URL(origin).origin : origin.toLowerCase()

/**
 * Without keys, whoever reaches the server may use it, and a web page in a browser on the same machine reaches it: by a
 * name of its own that resolves to 127.0.0.1, or by a plain cross-site request. Both are refused here.
 */

/** Checks the headers of a request. @throws forbidden */
export type OriginCheck = (headers: IncomingHttpHeaders) => void

/** Pages whose origin the operator allows are not refused. */
export const originCheck = (allowedHosts: readonly string[], pages: CrossOrigin): OriginCheck => {
  if (allowedHosts.includes('*')) return () => undefined
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  return (headers) => {
    if (!allowed.has(hostName(headers.host ?? '')))
      throw failure('forbidden', { problem: 'this host name is not served: add it to server.allowedHosts' })
    const { origin } = headers
    if (origin !== undefined && pages.allows(origin)) return
    const foreign = origin !== undefined && !allowed.has(hostName(origin.replace(/^https?:\/\//i, '')))
    if (foreign || headers['sec-fetch-site'] === 'cross-site')
      throw failure('forbidden', { problem: 'requests from other sites are refused while authentication is off' })
  }
}

/** Without the port; in lower case. */
const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')
