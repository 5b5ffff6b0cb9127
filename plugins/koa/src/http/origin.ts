/**
 * Without keys, whoever reaches the server may use it, and a web page in a browser on the same machine reaches it: by a
 * name of its own that resolves to 127.0.0.1, or by a plain cross-site request. Both are refused here.
 */

import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'
import type { CrossOrigin } from './cors.js'

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
