import { failure } from '@sallyport/core'
import { getProxyForUrl } from 'proxy-from-env'
import { Agent, ProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'

/** What stands for the port in `url` and in the arguments of a server of our own. */
const portMark = /\{port\}/g

export const withPort = (text: string, port: number): string => text.replace(portMark, String(port))

/** @throws config_invalid */
export const parseBaseUrl = (text: string, model: string): URL => {
  const invalid = (problem: string) => failure('config_invalid', { problem: `models.${model}.options.url: ${problem}` })
  if (!URL.canParse(text)) throw invalid('this is no URL')
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw invalid('only http and https are supported')
  if (url.username || url.password) throw invalid('a URL must not hold credentials: use the option apiKey or headers')
  url.hash = ''
  return url
}

/**
 * A path under the base URL, whose query stays.
 * @param beside whether it stands beside the `/v1` of the base
 */
export const under = (base: URL, path: string, beside = false): URL => {
  const url = new URL(base)
  const prefix = url.pathname.replace(/\/+$/, '')
  url.pathname = (beside ? prefix.replace(/\/v1$/, '') : prefix) + path
  return url
}

/** This machine: never reached through a proxy. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)

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
