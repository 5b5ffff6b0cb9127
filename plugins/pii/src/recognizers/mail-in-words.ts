import { isSureDomain, isTopLevelDomain } from '../words/domains.js'
import type { Pattern } from './recognizer.js'

/** Between two parts of one string, as programs put them together. */
export const join = String.raw`["'\x60]\s{0,3}[+.&]?\s{0,3}["'\x60]`

/** In brackets, or as words do between dashes: `-at-`. */
const apart = (said: string, orSign: string): string =>
  String.raw` {0,3}[[({<] ?(?:${said}|${orSign}) ?[\])}>] {0,3}| {0,3}[-_*/~=]{1,3}${said}[-_*/~=]{1,3} {0,3}`

/** The signs of a mail address, however they are written. */
export const at =
  String.raw`(?:(?:${join})?@${join}|${join}@|[\s*\x60]{0,3}@[\s*\x60]{0,3}| {1,3}[aA][tT] {1,3}` +
  `|${apart('[aA][tT]', '@')})`
export const dot =
  String.raw`(?:(?:${join})?\.${join}|${join}\.| {0,3}[.·。] {0,3}| {1,3}[dD][oO][tT] {1,3}` +
  String.raw`|${apart('[dD][oO][tT]', String.raw`\.`)})`

/** In the order in which they stand. */
const sign = new RegExp(`(?<at>${at})|(?<dot>${dot})`, 'gu')

/** What a telling local part has: names of people and places have none. */
const telling = /[\d._%+]|[\p{L}\p{N}] (?:dot|underscore|dash|minus|plus) [\p{L}\p{N}]/iu

/** Words of sentences, not of domains and local parts; and domains that are words. */
const noDomain = new Set(
  'a an the this that these those some any every each another my your his her its our their first last next'.split(' '),
)
const nobody = new Set('me us you him her them it someone people here there'.split(' '))
const words = new Set('in is it no at be us my do am as so to or pm'.split(' '))

interface Label {
  readonly text: string
  readonly end: number
  /** The sign before it. */
  readonly dot: string
}

/**
 * The part of a match that is a mail address which is written in words, or with blanks in it.
 * @param strict whether `at` needs a local part that tells what it is: `look at acme dot com`
 */
export const spelledMail =
  (strict: boolean): NonNullable<Pattern['within']> =>
  (match) => {
    if (!/[\s([{<*`"']|[-_/~=]dot[-_/~=]/i.test(match)) return undefined
    const at = [...match.matchAll(sign)].find(({ groups }) => groups?.['at'] !== undefined)
    if (!at) return undefined
    const local = match.slice(0, at.index)
    const labels = labelsFrom(match, at.index + at[0].length)
    const last = labels.findLastIndex((label, index) => index > 0 && isTopLevelDomain(label.text))
    const domain = labels.slice(0, last + 1)
    if (last < 1 || !isDomain(domain) || !isAddress(local, at[0], domain, strict)) return undefined
    return { start: 0, end: domain[last]?.end ?? 0 }
  }

const labelsFrom = (match: string, from: number): Label[] => {
  const labels: Label[] = []
  let [start, dot] = [from, '']
  for (const found of match.slice(from).matchAll(sign)) {
    const end = from + found.index
    labels.push({ text: match.slice(start, end), end, dot })
    ;[start, dot] = [end + found[0].length, found[0]]
  }
  labels.push({ text: match.slice(start), end: match.length, dot })
  return labels
}

/** Where a full stop has a blank on one side only, a sentence ends. */
const isDomain = (labels: readonly Label[]): boolean =>
  labels.slice(1).every(({ dot }) => /^\s/.test(dot) === /\s$/.test(dot) || /[\])}>]/.test(dot)) &&
  /\p{L}/u.test(labels.at(-2)?.text ?? '') &&
  !noDomain.has(labels[0]?.text.toLowerCase() ?? '')

const nameOf = (labels: readonly Label[]): string => labels.map(({ text }) => text).join('.')

/** A line may begin with a decorator, `@dataclass.io`: behind a variable, two letters are no domain's end. */
const mayFollowLine = (local: string, labels: readonly Label[]): boolean =>
  labels.at(-1)?.text.length === 2 ? local.includes('.') : isSureDomain(nameOf(labels))

const isAddress = (local: string, at: string, labels: readonly Label[], strict: boolean): boolean => {
  const dots = labels.slice(1).map(({ dot }) => dot)
  const isTelling = telling.test(local) && /\p{L}/u.test(local)
  const isSpaced = dots.some((dot) => dot.length > 1)
  if (/[-_*/~=]at/i.test(at)) return /\p{L}/u.test(local) && dots.every((dot) => /dot/i.test(dot))
  if (/[[({<*`"']/.test(at)) return /\p{L}/u.test(local)
  if (!at.includes('@')) {
    const isSaid = dots.some((dot) => /dot/i.test(dot))
    const isLoud = at.includes('AT') && dots.every((dot) => dot.includes('DOT'))
    if (!isSaid || nobody.has(local.toLowerCase())) return false
    return isTelling || isLoud || (!strict && !words.has(labels.at(-1)?.text.toLowerCase() ?? ''))
  }
  if (at === '@') return isSpaced
  if (/^\s*\n/.test(at)) return isTelling && /[\p{L}\p{N}]$/u.test(local) && mayFollowLine(local, labels)
  return isTelling || (/^ .* $/.test(at) && /\p{L}/u.test(local) && isSureDomain(nameOf(labels)))
}

/** Ends of domains that no sentence begins with. */
const ends = new Set('com org net edu gov de fr uk nl ch eu ca au jp cn ru pl cz dk fi br'.split(' '))

const label = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]{0,62}`
const stop = String.raw` ?\. `

/**
 * As tokenizers of words write it, with blanks around its signs or behind them: `jane . miller @ acme. com`. Before the
 * sign, a stop with a blank only behind it ends a sentence: a stream is cut there.
 */
export const pieced = `(?:${label} [._] ){0,3}${label} @ ${label}(?:${stop}${label}){1,4}`

export const piecedMail: NonNullable<Pattern['within']> = (match) => {
  const at = match.indexOf(' @ ')
  const labels = [...match.slice(at).matchAll(/[^\s.@]+/g)]
  const last = labels.findLastIndex(({ 0: label }, index) => index > 0 && ends.has(label))
  const end = labels[last]
  return end && { start: 0, end: at + end.index + end[0].length }
}

/** With its sign twice, or at the begin of the next cell: `jane.miller | @acme.com`. */
export const parted = String.raw`(?:@{2,3}| {0,16}\| {0,16}@)`
const parts = new RegExp(`^(?<local>.*?)${parted}(?<domain>.*)$`, 's')
const tellingPart = /\p{L}.*[\d._%+]|[\d._%+].*\p{L}/u

export const isPartedMail = (match: string): boolean => {
  const { local = '', domain = '' } = parts.exec(match)?.groups ?? {}
  return tellingPart.test(local) && /[\p{L}\p{N}]$/u.test(local) && isSureDomain(domain)
}
