/**
 * Which web pages may read what the server answers (https://fetch.spec.whatwg.org/#http-cors-protocol). Pages in public
 * networks that would reach a server in a private one are not answered what browsers ask of them besides.
 */

import type { IncomingHttpHeaders } from 'node:http'

type Headers = Readonly<Record<string, string>>

/** What the browser is to hide from nobody: all headers of answers that say something about them. */
const exposed = 'x-request-id, x-safeguards, retry-after'

/** Seconds for which a browser remembers what a preflight was answered. */
const remembered = '600'

/** Names between commas: what a browser sends, and nothing that would split a header. */
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

  /** Of every answer. */
  headers({ origin }: IncomingHttpHeaders): Headers {
    if (this.origins.size === 0) return {}
    if (origin === undefined || !this.allows(origin)) return { vary: 'Origin' }
    return {
      vary: 'Origin',
      'access-control-allow-origin': this.shown(origin),
      'access-control-expose-headers': exposed,
    }
  }

  /** Of the answer to a preflight, which a browser sends without a key; undefined for anything else. */
  preflight(method: string, headers: IncomingHttpHeaders): Headers | undefined {
    const { origin, 'access-control-request-method': asked, 'access-control-request-headers': names = '' } = headers
    if (method !== 'OPTIONS' || asked === undefined || origin === undefined || !this.allows(origin)) return undefined
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

/** In lower case, and without a port that goes without saying. */
const asBrowsersWrite = (origin: string): string =>
  /^https?:/i.test(origin) && URL.canParse(origin) ? new URL(origin).origin : origin.toLowerCase()
