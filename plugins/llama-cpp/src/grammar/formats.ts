/**
 * Patterns of the formats that a grammar can enforce. Each is no wider than its standard: RFC 3339 (dates, times and
 * durations), RFC 4122, RFC 2673, RFC 4291, RFC 1123, RFC 3986, RFC 6901, RFC 4648, and the e-mail addresses
 * of the HTML living standard. They leave out leap seconds, lower-case separators, and all URLs but those of `http` and
 * `https` with a host name.
 */

const day = '(?:0[1-9]|1\\d|2[0-8])'
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:\\d{4}-(?:(?:0[1-9]|1[0-2])-${day}|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|${leapYear}-02-29)`
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const time = `${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${clock})`
const days = '\\d{1,9}D'
const months = `\\d{1,9}M(?:${days})?`
const years = `\\d{1,9}Y(?:${months})?`
const seconds = '\\d{1,9}S'
const minutes = `\\d{1,9}M(?:${seconds})?`
const hours = `\\d{1,9}H(?:${minutes})?`
const clockDuration = `T(?:${hours}|${minutes}|${seconds})`

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const hex = '[0-9a-fA-F]'
const group = `${hex}{1,4}`
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?'
const mailbox = '[A-Za-z0-9_%+-]{1,16}'
const email = `^${mailbox}(?:\\.${mailbox}){0,3}@${label}(?:\\.${label}){1,3}$`
/** Labels have no two hyphens in a row, as encoded names do, and at most 59 characters. */
const hostLabel = '[A-Za-z0-9]{1,11}(?:-[A-Za-z0-9]{1,11}){0,4}'
const hostname = `^${hostLabel}(?:\\.${hostLabel}){0,3}$`

const percentEncoded = `%${hex}{2}`
const pathCharacter = `(?:[A-Za-z0-9._~!$&()*+,;=:@/-]|${percentEncoded})`
const queryCharacter = `(?:[A-Za-z0-9._~!$&()*+,;=:@/?-]|${percentEncoded})`
const name = '[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*'
const url = `^https?://(?:${name}\\.)+[A-Za-z]{2,24}(?::[1-9]\\d{1,3})?(?:/${pathCharacter}*(?:\\?${queryCharacter}*)?(?:#${queryCharacter}*)?)?$`

const pointer = '(?:/(?:[^~/]|~[01])*)*'
const base64 = '[A-Za-z0-9+/]'

export const formatPatterns: ReadonlyMap<string, string> = new Map([
  ['date', `^${date}$`],
  ['time', `^${time}$`],
  ['iso-time', `^${time}$`],
  ['date-time', `^${date}T${time}$`],
  ['iso-date-time', `^${date}T${time}$`],
  ['duration', `^P(?:(?:${years}|${months}|${days})(?:${clockDuration})?|${clockDuration}|\\d{1,9}W)$`],
  ['uuid', `^${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}$`],
  ['ipv4', `^${byte}(?:\\.${byte}){3}$`],
  ['ipv6', `^(?:(?:${group}:){7}${group}|(?:(?:${group}:){1,3}|:)(?::${group}){1,4}|(?:${group}:){1,6}:|::)$`],
  ['email', email],
  ['idn-email', email],
  ['hostname', hostname],
  ['idn-hostname', hostname],
  ['uri', url],
  ['url', url],
  ['uri-reference', url],
  ['iri', url],
  ['iri-reference', url],
  ['json-pointer', `^${pointer}$`],
  ['relative-json-pointer', `^(?:0|[1-9]\\d*)(?:#|${pointer})$`],
  ['json-pointer-uri-fragment', `^#(?:/(?:[A-Za-z0-9_.!$&()*+,;:=@-]|~[01])*)*$`],
  ['byte', `^(?:${base64}{4})*(?:${base64}{2}==|${base64}{3}=)?$`],
])

/** Formats of strings that are known, but not enforced. */
export const otherFormats: ReadonlySet<string> = new Set(['regex', 'uri-template'])

/** Formats of numbers (OpenAPI): bounds, both included. */
export const numberFormats: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['int32', [-(2 ** 31), 2 ** 31 - 1]],
  ['int64', [-(2 ** 63), 2 ** 63]],
])
