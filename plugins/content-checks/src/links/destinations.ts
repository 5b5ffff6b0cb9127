/** Where an address leads, as browsers read it, and whether it carries data there. */

import { readingsOf } from '@sallyport/kit/views'

/** What an address does to whoever gets it. */
export type Destination =
  /** Leads nowhere else: a place on the same page or host, an image that is in the address. */
  | { readonly kind: 'own' }
  /** Runs or shows what is in the address. */
  | { readonly kind: 'script' }
  | { readonly kind: 'host'; readonly host: string; readonly carriesData: boolean }

/** No address has it: relative ones are read as of this host, with both schemes, for `https:host` is relative to one. */
const nowhere = 'nowhere.invalid'
const bases = [`https://${nowhere}/`, `http://${nowhere}/`]

const scripts = new Set(['javascript:', 'vbscript:', 'livescript:', 'mocha:'])
/** What speaks to people, and not to a server. */
const calls = new Set(['tel:', 'sms:'])
/** Images in addresses that are no documents. */
const image = /^data:image\/(?!svg)/i

/** Browsers leave these out of addresses. */
const ignoredSigns = /[\t\n\r]/g

/** Relative in every way of reading. */
const relative = /^(?:[\w.#?=,-][\w./#?=,-]*)?$/

/** Where an address leads in every way in which it may be read. */
export const destinationsOf = (address: string, isLoaded: boolean): Destination[] => {
  if (relative.test(address)) return []
  return readingsOf(address.trim()).map(({ text }) => asItStands(text.replace(ignoredSigns, ''), isLoaded))
}

const asItStands = (address: string, isLoaded: boolean): Destination => {
  const urls = bases.flatMap((base) => (URL.canParse(address, base) ? [new URL(address, base)] : []))
  const url = urls.find(({ hostname }) => hostname !== nowhere) ?? urls[0]
  // What no browser can read leads nowhere, but other programs load it perhaps.
  if (!url)
    return isLoaded && /[\\/]{2}/.test(address) ? { kind: 'host', host: '', carriesData: true } : { kind: 'own' }
  if (/^[a-z]+: /i.test(address) && !scripts.has(url.protocol)) return { kind: 'own' }
  if (scripts.has(url.protocol)) return { kind: 'script' }
  if (url.protocol === 'data:') return isLoaded && image.test(address) ? { kind: 'own' } : { kind: 'script' }
  if (url.hostname === nowhere || calls.has(url.protocol)) return { kind: 'own' }
  if (url.protocol === 'mailto:') return { kind: 'host', host: mailHost(url), carriesData: url.search !== '' }
  return { kind: 'host', host: hostOf(url), carriesData: carriesData(url) }
}

const mailHost = ({ pathname }: URL): string => pathname.slice(pathname.lastIndexOf('@') + 1).toLowerCase()

/** The host with a port that is not the scheme's, without the full stop at its end. */
const hostOf = ({ hostname, port }: URL): string => hostname.replace(/\.+$/, '') + (port && `:${port}`)

/** Names of places on a page are a few words: `#how-to-install`, `#L10-L20`, `#note_1872`. What is encoded is none. */
const placeName =
  /^#(?=.{0,40}$)(?:(?:[A-Z]?[a-z]{1,24}\d{0,3}|[A-Z]{1,12}\d{0,6}|\d{1,12}[a-z]{0,2}|[a-z]{1,16}(?:[A-Z][a-z]{1,16}){1,3})(?:[-_.:]{1,2}|$)){0,6}$/
/** Characters of a part of a path or of a host that no ordinary one has. */
const [maxStep, maxLabel] = [80, 40]

const carriesData = ({ search, hash, username, password, pathname, hostname }: URL): boolean =>
  search.length > 1 ||
  (hash !== '' && !placeName.test(hash)) ||
  username !== '' ||
  password !== '' ||
  pathname.split('/').some((step) => step.length > maxStep || (step.match(/%20|\+/g)?.length ?? 0) > 1) ||
  hostname.split('.').some((label) => label.length > maxLabel)

/** Addresses of this machine: no data leaves it. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/
export const isLoopback = (host: string): boolean => loopback.test(host)

interface HostList {
  readonly hosts: ReadonlySet<string>
  /** Ends of hosts, with the full stop before them. */
  readonly endings: readonly string[]
}

const known = new WeakMap<readonly string[], HostList>()

const listOf = (patterns: readonly string[]): HostList => {
  const list = known.get(patterns) ?? {
    hosts: new Set(patterns.filter((pattern) => !pattern.startsWith('*.')).map(normalized)),
    endings: patterns
      .filter((pattern) => pattern.startsWith('*.'))
      .map((pattern) => `.${normalized(pattern.slice(2))}`),
  }
  known.set(patterns, list)
  return list
}

/** Whether an operator's list has a host. @param host as in a {@link Destination} */
export const isListed = (host: string, patterns: readonly string[]): boolean => {
  if (host === '') return false
  const { hosts, endings } = listOf(patterns)
  return hosts.has(host) || endings.some((ending) => host.endsWith(ending))
}

/** Writes a host as browsers do: in small letters, in ASCII, without the port of https. */
const normalized = (name: string): string => {
  const address = `https://${name}`
  return URL.canParse(address) ? hostOf(new URL(address)) : name.toLowerCase()
}
