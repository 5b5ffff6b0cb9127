import { isSureDomain, isTopLevelDomain } from '../words/domains.js'
import type { Pattern } from './recognizer.js'

/** What joins two string literals in program code. */
export const literalJoin = String.raw`["'\x60]\s{0,3}[+.&]?\s{0,3}["'\x60]`

/** A word or symbol in brackets, or a word between dashes: `-at-`. */
const bracketed = (word: string, symbol: string): string =>
  String.raw` {0,3}[[({<] ?(?:${word}|${symbol}) ?[\])}>] {0,3}| {0,3}[-_*/~=]{1,3}${word}[-_*/~=]{1,3} {0,3}`

/** The at sign of an email address, in all the ways in which it is written. */
export const anyAt =
  String.raw`(?:(?:${literalJoin})?@${literalJoin}|${literalJoin}@|[\s*\x60]{0,3}@[\s*\x60]{0,3}| {1,3}[aA][tT] {1,3}` +
  `|${bracketed('[aA][tT]', '@')})`
/** The dot of an email address, in all the ways in which it is written. */
export const anyDot =
  String.raw`(?:(?:${literalJoin})?\.${literalJoin}|${literalJoin}\.| {0,3}[.·。] {0,3}| {1,3}[dD][oO][tT] {1,3}` +
  String.raw`|${bracketed('[dD][oO][tT]', String.raw`\.`)})`

/** An at sign or a dot, with a group for each. */
const atOrDot = new RegExp(`(?<at>${anyAt})|(?<dot>${anyDot})`, 'gu')

/** What makes a local part distinctive: names of people and places contain none of these. */
const distinctive = /[\d._%+]|[\p{L}\p{N}] (?:dot|underscore|dash|minus|plus) [\p{L}\p{N}]/iu

/** Words of sentences that begin no domain. */
const determiners = new Set(
  'a an the this that these those some any every each another my your his her its our their first last next'.split(' '),
)
const pronouns = new Set('me us you him her them it someone people here there'.split(' '))
const domainsThatAreWords = new Set('in is it no at be us my do am as so to or pm'.split(' '))

interface Label {
  readonly text: string
  readonly end: number
  /** The dot before it, as it is written. */
  readonly dot: string
}

/**
 * Finds the part of a match that is an email address in words, or with spaces.
 * @param strict whether `at` needs a distinctive local part, unlike `look at acme dot com`
 */
export const spelledEmail =
  (strict: boolean): NonNullable<Pattern['within']> =>
  (match) => {
    if (!/[\s([{<*`"']|[-_/~=]dot[-_/~=]/i.test(match)) return undefined
    const at = [...match.matchAll(atOrDot)].find(({ groups }) => groups?.['at'] !== undefined)
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
  for (const found of match.slice(from).matchAll(atOrDot)) {
    const end = from + found.index
    labels.push({ text: match.slice(start, end), end, dot })
    ;[start, dot] = [end + found[0].length, found[0]]
  }
  labels.push({ text: match.slice(start), end: match.length, dot })
  return labels
}

/** Whether the labels form a domain. A dot with a space on one side only ends a sentence. */
const isDomain = (labels: readonly Label[]): boolean =>
  labels.slice(1).every(({ dot }) => /^\s/.test(dot) === /\s$/.test(dot) || /[\])}>]/.test(dot)) &&
  /\p{L}/u.test(labels.at(-2)?.text ?? '') &&
  !determiners.has(labels[0]?.text.toLowerCase() ?? '')

const nameOf = (labels: readonly Label[]): string => labels.map(({ text }) => text).join('.')

/**
 * Whether an at sign at the beginning of a line continues an address, rather than beginning a decorator:
 * `@dataclass.io`.
 */
const continuesOnNextLine = (local: string, labels: readonly Label[]): boolean =>
  labels.at(-1)?.text.length === 2 ? local.includes('.') : isSureDomain(nameOf(labels))

const isAddress = (local: string, at: string, labels: readonly Label[], strict: boolean): boolean => {
  const dots = labels.slice(1).map(({ dot }) => dot)
  const isDistinctive = distinctive.test(local) && /\p{L}/u.test(local)
  const isSpaced = dots.some((dot) => dot.length > 1)
  if (/[-_*/~=]at/i.test(at)) return /\p{L}/u.test(local) && dots.every((dot) => /dot/i.test(dot))
  if (/[[({<*`"']/.test(at)) return /\p{L}/u.test(local)
  if (!at.includes('@')) {
    const hasSpelledDot = dots.some((dot) => /dot/i.test(dot))
    const isInCapitals = at.includes('AT') && dots.every((dot) => dot.includes('DOT'))
    if (!hasSpelledDot || pronouns.has(local.toLowerCase())) return false
    return (
      isDistinctive || isInCapitals || (!strict && !domainsThatAreWords.has(labels.at(-1)?.text.toLowerCase() ?? ''))
    )
  }
  if (at === '@') return isSpaced
  if (/^\s*\n/.test(at)) return isDistinctive && /[\p{L}\p{N}]$/u.test(local) && continuesOnNextLine(local, labels)
  return isDistinctive || (/^ .* $/.test(at) && /\p{L}/u.test(local) && isSureDomain(nameOf(labels)))
}

/** Top-level domains that no sentence begins with. */
const commonTopLevelDomains = new Set('com org net edu gov de fr uk nl ch eu ca au jp cn ru pl cz dk fi br'.split(' '))

const label = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]{0,62}`
const spacedDot = String.raw` ?\. `

/**
 * An email address as word tokenizers write it, with spaces around or after its symbols: `jane . miller @ acme. com`.
 * Before the `@`, a dot that only a space follows ends a sentence, as streams are cut there.
 */
export const tokenized = `(?:${label} [._] ){0,3}${label} @ ${label}(?:${spacedDot}${label}){1,4}`

export const tokenizedEmail: NonNullable<Pattern['within']> = (match) => {
  const at = match.indexOf(' @ ')
  const labels = [...match.slice(at).matchAll(/[^\s.@]+/g)]
  const last = labels.findLastIndex(({ 0: label }, index) => index > 0 && commonTopLevelDomains.has(label))
  const end = labels[last]
  return end && { start: 0, end: at + end.index + end[0].length }
}

/** An at sign that is doubled, or at the beginning of the next cell: `jane.miller | @acme.com`. */
export const splitSign = String.raw`(?:@{2,3}| {0,16}\| {0,16}@)`
const parts = new RegExp(`^(?<local>.*?)${splitSign}(?<domain>.*)$`, 's')
const distinctivePart = /\p{L}.*[\d._%+]|[\d._%+].*\p{L}/u

export const isEmailWithSplitSign = (match: string): boolean => {
  const { local = '', domain = '' } = parts.exec(match)?.groups ?? {}
  return distinctivePart.test(local) && /[\p{L}\p{N}]$/u.test(local) && isSureDomain(domain)
}
