import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'
import { spellings } from '../specification/spellings.js'

/** Headers by which requests that upload a file say which checks they want, and what asks for nothing in each. */
const asksNothing: Readonly<Record<string, RegExp>> = Object.fromEntries(
  spellings
    .flatMap(({ header, replacing }) => [
      [header, replacing ? /^(?:none)?$/i : /^(?:none|false|0)?$/i],
      [replacing?.method.header, /^(?:none)?$/i],
      [replacing?.ignore.header, /^(?:none|\[\s*\])?$/i],
    ])
    .filter(([header]) => header !== undefined),
) as Record<string, RegExp>

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
