/** Which hosts and ports may be contacted. */

import { failure } from '@sallyport/core'

interface HostPattern {
  /** In the spelling of the URL parser. */
  readonly name: string
  /** Whether the pattern matches the names below `name` instead of `name` itself. */
  readonly matchesSubdomains: boolean
  /** Absent: the port of the scheme. */
  readonly port: number | 'every' | undefined
}

const anything = '*'
/** 1 to 65535, for a JSON Schema. */
export const portPattern = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])'
/** How a host is written, for a JSON Schema. */
export const outboundHostPattern =
  '^(?<wildcard>\\*\\.)?(?<name>\\*|\\[[\\da-fA-F:.]+\\]|[^\\s/@:?#*\\[\\]\\\\]+)' +
  `(?::(?<port>\\*|${portPattern}))?$`
/** What such a host must be, for messages. */
export const outboundHostTitle =
  'a host as example.com, *.example.com or example.com:8443, or * for every one; with :* behind it, on every port'
const hostRegExp = new RegExp(outboundHostPattern)

const schemePorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

/** The port of a URL of http or https, named or by default. */
const portOf = ({ protocol, port }: URL): number | undefined => (port ? Number(port) : schemePorts[protocol])

export class AllowedHosts {
  private readonly patterns: readonly HostPattern[]

  /**
   * @param hosts each as `example.com`, `*.example.com` (the names below it) or `*` (every host), on 443 for https and
   *   80 for http; with a port behind (`example.com:8443`), on that port; with `:*` behind, on every port
   * @throws config_invalid
   */
  constructor(hosts: readonly string[]) {
    this.patterns = hosts.map(parsePattern)
  }

  has(url: URL): boolean {
    const name = withoutDot(url.hostname)
    const port = portOf(url)
    return this.patterns.some((pattern) => matchesName(pattern, name) && matchesPort(pattern, port, url.protocol))
  }
}

const matchesName = ({ name, matchesSubdomains }: HostPattern, host: string): boolean =>
  name === anything || (matchesSubdomains ? host.endsWith(`.${name}`) : host === name)

const matchesPort = (pattern: HostPattern, port: number | undefined, scheme: string): boolean =>
  pattern.port === 'every' || port === (pattern.port ?? schemePorts[scheme])

const parsePattern = (text: string): HostPattern => {
  const { wildcard, name, port } = hostRegExp.exec(text)?.groups ?? {}
  const address = `http://${name === anything ? 'every' : (name ?? '')}`
  if (name === undefined || !URL.canParse(address))
    throw failure('config_invalid', {
      problem: `${JSON.stringify(text)} is no host to fetch from: write example.com, *.example.com, example.com:8443, example.com:*, * or *:*`,
    })
  return {
    name: name === anything ? anything : withoutDot(new URL(address).hostname),
    matchesSubdomains: wildcard !== undefined,
    port: port === undefined ? undefined : port === anything ? 'every' : Number(port),
  }
}

/** The dot at the end of a fully qualified name means nothing here. */
const withoutDot = (name: string): string => name.replace(/\.$/, '')
