import { getProxyForUrl } from 'proxy-from-env'
import { Agent, ProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'
import { isLoopback } from './address.js'

/** Time-outs are kept by {@link Watch}, which knows the phases of a call. */
const settings = { headersTimeout: 0, bodyTimeout: 0 } as const

/**
 * Connections to one server, kept for further calls. `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are
 * respected.
 * @param connect seconds that a connection may take to stand
 */
export const createDispatcher = (url: URL, connect: number): Dispatcher => {
  const connector = { timeout: connect * 1000 }
  const uri = isLoopback(url) ? '' : getProxyForUrl(url.href)
  if (!uri) return new Agent({ ...settings, connect: connector })
  const proxyTunnel = url.protocol === 'https:'
  return new ProxyAgent({ ...settings, uri, proxyTls: connector, requestTls: connector, proxyTunnel })
}
