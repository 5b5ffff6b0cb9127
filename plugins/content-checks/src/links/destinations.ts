/** Reads addresses as browsers do: where they lead, and whether they carry data. */

import { readingsOf } from '@sallyport/kit/views'

/** What happens when an address is followed or loaded. */
export type Destination =
  /** It stays on the same page or host, or contains an image. */
  | { readonly kind: 'local' }
  /** It runs or shows what the address contains. */
  | { readonly kind: 'script' }
  | { readonly kind: 'host'; readonly host: string; readonly carriesData: boolean }

/** A reserved host as base of relative addresses. With two schemes, as `https:host` is relative to `https:` only. */
const placeholderHost = 'nowhere.invalid'
const bases = [`https://${placeholderHost}/`, `http://${placeholderHost}/`]

const scriptSchemes = new Set(['javascript:', 'vbscript:', 'livescript:', 'mocha:'])
/** Schemes that reach a person rather than a server. */
const phoneSchemes = new Set(['tel:', 'sms:'])
/** Images other than SVG, which is a document with scripts. */
const image = /^data:image\/(?!svg)/i

/** Browsers drop these characters from addresses. */
const ignoredCharacters = /[\t\n\r]/g

/** An address that is relative in every reading. */
const relative = /^(?:[\w.#?=,-][\w./#?=,-]*)?$/

/** The destinations of an address in all its readings. */
export const destinationsOf = (address: string, isLoaded: boolean): Destination[] => {
  if (relative.test(address)) return []
  return readingsOf(address.trim()).map(({ text }) => destinationOf(text.replace(ignoredCharacters, ''), isLoaded))
}

const destinationOf = (address: string, isLoaded: boolean): Destination => {
  const urls = bases.flatMap((base) => (URL.canParse(address, base) ? [new URL(address, base)] : []))
  const url = urls.find(({ hostname }) => hostname !== placeholderHost) ?? urls[0]
  // Browsers cannot read it, but other programs may load it.
  if (!url)
    return isLoaded && /[\\/]{2}/.test(address) ? { kind: 'host', host: '', carriesData: true } : { kind: 'local' }
  if (/^[a-z]+: /i.test(address) && !scriptSchemes.has(url.protocol)) return { kind: 'local' }
  if (scriptSchemes.has(url.protocol)) return { kind: 'script' }
  if (url.protocol === 'data:') return isLoaded && image.test(address) ? { kind: 'local' } : { kind: 'script' }
  if (url.hostname === placeholderHost || phoneSchemes.has(url.protocol)) return { kind: 'local' }
  if (url.protocol === 'mailto:') return { kind: 'host', host: mailHost(url), carriesData: url.search !== '' }
  return { kind: 'host', host: hostOf(url), carriesData: carriesData(url) }
}

const mailHost = ({ pathname }: URL): string => pathname.slice(pathname.lastIndexOf('@') + 1).toLowerCase()

/** The host without a trailing dot, with the port unless it is the default one. */
const hostOf = ({ hostname, port }: URL): string => hostname.replace(/\.+$/, '') + (port && `:${port}`)

/** A fragment that names a place on a page consists of a few words: `#how-to-install`, `#L10-L20`, `#note_1872`. */
const anchorName =
  /^#(?=.{0,40}$)(?:(?:[A-Z]?[a-z]{1,24}\d{0,3}|[A-Z]{1,12}\d{0,6}|\d{1,12}[a-z]{0,2}|[a-z]{1,16}(?:[A-Z][a-z]{1,16}){1,3})(?:[-_.:]{1,2}|$)){0,6}$/
/** Segments of paths and labels of hosts that are longer count as data. */
const [maxSegmentLength, maxLabelLength] = [80, 40]

const carriesData = ({ search, hash, username, password, pathname, hostname }: URL): boolean =>
  search.length > 1 ||
  (hash !== '' && !anchorName.test(hash)) ||
  username !== '' ||
  password !== '' ||
  pathname
    .split('/')
    .some((segment) => segment.length > maxSegmentLength || (segment.match(/%20|\+/g)?.length ?? 0) > 1) ||
  hostname.split('.').some((label) => label.length > maxLabelLength)

/** Hosts of this machine: data sent there does not leave it. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/
export const isLoopback = (host: string): boolean => loopback.test(host)

interface HostList {
  readonly hosts: ReadonlySet<string>
  /** Suffixes of hosts, with the leading dot. */
  readonly suffixes: readonly string[]
}

const hostLists = new WeakMap<readonly string[], HostList>()

const hostListOf = (patterns: readonly string[]): HostList => {
  const list = hostLists.get(patterns) ?? {
    hosts: new Set(patterns.filter((pattern) => !pattern.startsWith('*.')).map(normalizeHost)),
    suffixes: patterns.flatMap((pattern) => (pattern.startsWith('*.') ? `.${normalizeHost(pattern.slice(2))}` : [])),
  }
  hostLists.set(patterns, list)
  return list
}

/** Whether a list of the operator contains a host. @param host that of a {@link Destination} */
export const isListed = (host: string, patterns: readonly string[]): boolean => {
  if (host === '') return false
  const { hosts, suffixes } = hostListOf(patterns)
  return hosts.has(host) || suffixes.some((suffix) => host.endsWith(suffix))
}

/** Normalises a host as browsers do: in lower case, in ASCII, without the port of https. */
const normalizeHost = (name: string): string => {
  const address = `https://${name}`
  return URL.canParse(address) ? hostOf(new URL(address)) : name.toLowerCase()
}
