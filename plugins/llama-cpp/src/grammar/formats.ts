/**
 * Patterns of the formats that a grammar can hold. Each is no wider than RFC 3339, RFC 4122, RFC 2673 and the HTML
 * living standard's addresses of mail; leap seconds and lower-case separators are left out.
 */

const day = '(?:0[1-9]|1\\d|2[0-8])'
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date = `(?:\\d{4}-(?:(?:0[1-9]|1[0-2])-${day}|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|${leapYear}-02-29)`
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const time = `${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${clock})`
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const hex = '[0-9a-fA-F]'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?'
const mailbox = '[A-Za-z0-9_%+-]{1,16}'

export const formatPatterns: ReadonlyMap<string, string> = new Map([
  ['date', `^${date}$`],
  ['time', `^${time}$`],
  ['date-time', `^${date}T${time}$`],
  ['uuid', `^${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}$`],
  ['ipv4', `^${byte}(?:\\.${byte}){3}$`],
  ['email', `^${mailbox}(?:\\.${mailbox}){0,3}@${label}(?:\\.${label}){1,3}$`],
])

/** Formats that say something about texts which no grammar here holds. */
export const otherFormats: ReadonlySet<string> = new Set([
  'duration',
  'hostname',
  'idn-hostname',
  'idn-email',
  'ipv6',
  'uri',
  'url',
  'uri-reference',
  'uri-template',
  'iri',
  'iri-reference',
  'json-pointer',
  'relative-json-pointer',
  'json-pointer-uri-fragment',
  'regex',
  'iso-time',
  'iso-date-time',
  'byte',
])

/** Formats of numbers (OpenAPI): bounds, both included. */
export const numberFormats: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['int32', [-(2 ** 31), 2 ** 31 - 1]],
  ['int64', [-(2 ** 63), 2 ** 63]],
])
