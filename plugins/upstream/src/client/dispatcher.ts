import { Agent, ProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'
import { isLoopback } from './address.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Time-outs are kept by {@link Watch}, which knows the phases of a call. */
const settings = { headersTimeout: 0, bodyTimeout: 0 } as const

/**
 * Connections to one server, kept for further calls. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are respected.
 * @param connect seconds that a connection may take to stand
 */
export const createDispatcher = (url: URL, connect: number, environment: Environment = process.env): Dispatcher => {
  const connector = { timeout: connect * 1000 }
  const proxy = proxyFor(url, environment)
  if (proxy === undefined) return new Agent({ ...settings, connect: connector })
  const proxyTunnel = url.protocol === 'https:'
  return new ProxyAgent({ ...settings, uri: proxy, proxyTls: connector, requestTls: connector, proxyTunnel })
}

const variable = (environment: Environment, name: string) => environment[name.toLowerCase()] || environment[name]

const proxyFor = (url: URL, environment: Environment): string | undefined => {
  if (isLoopback(url) || isExempt(url, variable(environment, 'NO_PROXY') ?? '')) return undefined
  const plain = variable(environment, 'HTTP_PROXY')
  return url.protocol === 'https:' ? (variable(environment, 'HTTPS_PROXY') ?? plain) : plain
}

/** `NO_PROXY`: hosts and domains, separated by commas, each with an optional port; `*` is all. */
const isExempt = ({ hostname, port, protocol }: URL, list: string): boolean =>
  list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true
      const [, domain = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (only !== undefined && only !== (port || (protocol === 'https:' ? '443' : '80'))) return false
      return hostname === domain || hostname.endsWith(`.${domain}`)
    })
