import { failure } from '@sallyport/core'
import { getProxyForUrl } from 'proxy-from-env'
import { Agent, ProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'

/** Fills in the port in `url` or in an argument of a supervised server. */
export const withPort = (template: string, port: number): string => template.replaceAll('{port}', String(port))

/** @throws config_invalid */
export const parseBaseUrl = (address: string, model: string): URL => {
  const invalid = (problem: string) => failure('config_invalid', { problem: `models.${model}.options.url: ${problem}` })
  if (!URL.canParse(address)) throw invalid('this is not a URL')
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) throw invalid('only http and https are supported')
  if (url.username || url.password) throw invalid('a URL must not hold credentials: use the option apiKey or headers')
  url.hash = ''
  return url
}

/**
 * The URL of a path under the base URL, with the query of the base URL.
 * @param outsideV1 whether a `/v1` at the end of the base URL is left out
 */
export const endpointUrl = (base: URL, path: string, outsideV1 = false): URL => {
  const url = new URL(base)
  const prefix = url.pathname.replace(/\/+$/, '')
  url.pathname = (outsideV1 ? prefix.replace(/\/v1$/, '') : prefix) + path
  return url
}

/** Whether the host is this machine, which is never reached through a proxy. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)

/** The time limit of a call is enforced in `exchange.ts` instead. */
const settings = { headersTimeout: 0, bodyTimeout: 0 } as const

/**
 * Connections to one server, kept for further calls. `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are
 * respected.
 * @param connect seconds that connecting may take
 */
export const createDispatcher = (url: URL, connect: number): Dispatcher => {
  const connector = { timeout: connect * 1000 }
  const uri = isLoopback(url) ? '' : getProxyForUrl(url.href)
  if (!uri) return new Agent({ ...settings, connect: connector })
  const proxyTunnel = url.protocol === 'https:'
  return new ProxyAgent({ ...settings, uri, proxyTls: connector, requestTls: connector, proxyTunnel })
}
