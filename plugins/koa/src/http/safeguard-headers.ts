import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'

/** Headers by which requests that upload a file say which checks they want, and what asks for nothing in each. */
const asksNothing: Readonly<Record<string, RegExp>> = {
  toxicity: /^(?:none|false|0)?$/i,
  injection: /^(?:none|false|0)?$/i,
  pii: /^(?:none)?$/i,
  'replace-method': /^(?:none)?$/i,
  'entity-list': /^(?:none|\[\s*\])?$/i,
}

/**
 * A request with a JSON body says it there: a check that is asked for by a header must not silently be off.
 * @throws invalid_request
 */
export const refuseSafeguardHeaders = (headers: IncomingHttpHeaders): void => {
  for (const [field, nothing] of Object.entries(asksNothing))
    if (!nothing.test(String(headers[field] ?? '').trim()))
      throw failure('invalid_request', {
        field,
        problem: 'this header is read with uploads only: a request with a JSON body says its safeguards there',
      })
}
