/** Which hosts and ports may be contacted. */

import { failure } from '@sallyport/core'

interface HostPattern {
  /** In the spelling of the URL parser, or `*`. */
  readonly name: string
  /** Whether the pattern matches the subdomains of `name` instead of `name` itself. */
  readonly matchesSubdomains: boolean
  /** Absent: the port of the scheme. */
  readonly port: number | 'every' | undefined
}

const anything = '*'
/** 1 to 65535, for a JSON Schema. */
export const portPattern = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])'
/** How a host is written, for a JSON Schema. */
export const outboundHostPattern =
  '^(?!\\*\\.[*[])(?<wildcard>\\*\\.)?(?<name>\\*|\\[[\\da-fA-F:.]+\\]|[^\\s/@:?#*\\[\\]\\\\]+)' +
  `(?::(?<port>\\*|${portPattern}))?$`
/** What such a host must be, for messages. */
export const outboundHostTitle =
  'a host such as example.com, *.example.com (its subdomains), example.com:8443, example.com:* (every port), * or *:* (every host)'
const hostRegExp = new RegExp(outboundHostPattern)

const schemePorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

export class AllowedHosts {
  private readonly patterns: readonly HostPattern[]

  /**
   * @param hosts each as `example.com`, `*.example.com` (its subdomains) or `*` (every host), followed by a port
   *   (`example.com:8443`), by `:*` (every port) or by neither (443 for https, 80 for http)
   * @throws config_invalid
   */
  constructor(hosts: readonly string[]) {
    this.patterns = hosts.map(parsePattern)
  }

  has(url: URL): boolean {
    const host = withoutDot(url.hostname)
    const schemePort = schemePorts[url.protocol]
    const port = url.port ? Number(url.port) : schemePort
    const matchesPort = (allowed: HostPattern['port'] = schemePort) => allowed === 'every' || allowed === port
    return this.patterns.some((pattern) => matchesName(pattern, host) && matchesPort(pattern.port))
  }
}

const matchesName = ({ name, matchesSubdomains }: HostPattern, host: string): boolean =>
  name === anything || (matchesSubdomains ? host.endsWith(`.${name}`) : host === name)

const parsePattern = (pattern: string): HostPattern => {
  const { wildcard, name, port } = hostRegExp.exec(pattern)?.groups ?? {}
  const address = `http://${name === anything ? 'every' : (name ?? '')}`
  if (name === undefined || !URL.canParse(address))
    throw failure('config_invalid', {
      problem: `${JSON.stringify(pattern)} is not a host to fetch from: write example.com, *.example.com, example.com:8443, example.com:*, * or *:*`,
    })
  return {
    name: name === anything ? anything : withoutDot(new URL(address).hostname),
    matchesSubdomains: wildcard !== undefined,
    port: port === undefined ? undefined : port === anything ? 'every' : Number(port),
  }
}

/** The dot at the end of a fully qualified name makes no difference here. */
const withoutDot = (name: string): string => name.replace(/\.$/, '')
