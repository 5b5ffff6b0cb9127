/**
 * The forms that are searched in joined values: distinctive ones, or those with a checksum, so that unrelated values do
 * not make one up.
 */

import { countrySpecs, isValidIBAN } from 'ibantools'
import { compileContext } from '../matching/context.js'
import { isValidCard, commonIssuers } from '../recognizers/card-issuers.js'
import { creditCard } from '../recognizers/credit-card.js'
import { crypto, walletPatterns } from '../recognizers/crypto.js'
import { isTopLevelDomain } from '../words/domains.js'
import { ipAddress } from '../recognizers/ip.js'
import type { Recognizer } from '../recognizers/recognizer.js'
import { usAndUk } from '../recognizers/us.js'

/** A match over several values. */
interface SplitMatch {
  readonly text: string
  /** The parts of the match in each value, at least two. */
  readonly parts: readonly string[]
  /** The name of the first value, and its text before the match. */
  readonly before: string
}

export interface SplitForm {
  readonly entity: string
  /** The source of a character class of all its characters. */
  readonly characters: string
  /** The minimum length in UTF-16 code units. */
  readonly minLength: number
  /** A quick test: what every match contains. */
  readonly signature: RegExp
  /** For forms of digits alone: a context word that must be in the values or their names. */
  readonly contextWords?: RegExp
  /** With the flag `g`. */
  readonly regex: RegExp
  /** The length in UTF-16 code units of the valid prefix of a match; absent: all of it. */
  readonly validPrefixLength?: (match: string) => number | undefined
  readonly validate: (text: string) => boolean
  /** Whether the values look like parts, rather than a match by chance; absent: always. */
  readonly areParts?: (match: SplitMatch) => boolean
}

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text)

/** Whether values are split at a symbol. Lists of other numbers, such as versions, rarely are. */
const isSplitAt =
  (symbol: string) =>
  ({ parts }: SplitMatch): boolean =>
    parts.some((part, at) => at > 0 && (part.startsWith(symbol) || parts[at - 1]?.endsWith(symbol)))

const validBy =
  (recognizer: Recognizer | undefined) =>
  (text: string): boolean =>
    recognizer?.validate?.(text) !== false

const email: SplitForm = {
  entity: 'EMAIL_ADDRESS',
  characters: String.raw`[\p{L}\p{N}_.%+'@-]`,
  minLength: 6,
  signature: /[\p{L}\p{N}_%+.'-]@[\p{L}\p{N}-]+\./u,
  regex:
    /(?<![\p{L}\p{N}_%+'@.-])[\p{L}\p{N}_%+][\p{L}\p{N}._%+'-]{0,63}(?<!\.)@(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])/gu,
  validate: (text) => isTopLevelDomain(text.slice(text.lastIndexOf('.') + 1)),
  areParts: ({ text }) => !/^\d+@/.test(text),
}

/** The pattern of a recogniser with the flag `g`. */
const globalPattern = ({ source, flags }: RegExp = /(?!)/): RegExp => new RegExp(source, `${flags}g`)

/** A number of nine digits with dashes. Lists of negative numbers, which look alike, are excluded. */
const dashed = (entity: string): SplitForm => {
  const recognizer = usAndUk.find((one) => one.entity === entity)
  return {
    entity,
    characters: String.raw`[\d-]`,
    minLength: 11,
    signature: /\d{3}-\d{2}-\d{4}/,
    regex: globalPattern(recognizer?.patterns[0]?.regex),
    validate: validBy(recognizer),
    areParts: ({ parts }) => !parts.every(isNumber),
  }
}

const versionWord = /version|release|build|revision/iu

const ipv4: SplitForm = {
  entity: 'IP_ADDRESS',
  characters: String.raw`[\d.]`,
  minLength: 7,
  signature: /\d\.\d{1,3}\.\d{1,3}\.\d/,
  regex: /(?<![\p{L}\p{N}.])(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}]|\.\d)/gu,
  validate: validBy(ipAddress),
  // Two decimals may make up an address by chance, but no real one begins with zero.
  areParts: (match) => isSplitAt('.')(match) && !/^0+\./.test(match.text) && !versionWord.test(match.before),
}

const ipv6: SplitForm = {
  entity: 'IP_ADDRESS',
  characters: String.raw`[\da-fA-F:]`,
  minLength: 6,
  signature: /:[\da-f]{0,4}:/i,
  regex: /(?<![\p{L}\p{N}:.])(?:[a-f\d]{0,4}:){2,7}[a-f\d]{0,4}(?![\p{L}\p{N}:])/giu,
  validate: validBy(ipAddress),
  areParts: isSplitAt(':'),
}

const mac: SplitForm = {
  entity: 'MAC_ADDRESS',
  characters: String.raw`[\da-fA-F:-]`,
  minLength: 17,
  signature: /(?:[\da-f]{2}[:-]){5}/i,
  regex: /(?<![\p{L}\p{N}:-])[a-f\d]{2}(?:(?::[a-f\d]{2}){5}|(?:-[a-f\d]{2}){5})(?![\p{L}\p{N}:-])/giu,
  validate: () => true,
  areParts: ({ parts }) => !parts.every(isNumber),
}

/** Whether the same symbol separates all groups of a card number, wherever values are split. */
const isGrouped = (text: string): boolean => {
  const groups = text.split(/[ -]/)
  const lengths = /^3[47]/.test(text) ? [4, 10] : [4, 8, 12]
  let length = 0
  const ends = groups.slice(0, -1).map((group) => (length += group.length))
  return ends.length > 0 && ends.every((end) => lengths.includes(end)) && new Set(text.match(/[ -]/g)).size === 1
}

const card = {
  entity: creditCard.entity,
  characters: String.raw`[\d -]`,
  minLength: 14,
  regex: /(?=[2-6])(?<![\p{L}\p{N}]|\d[.,-])\d(?:[ -]?\d){13,15}(?![\p{L}\p{N}]|[.,-]\d)/gu,
  validate: (text: string) => isValidCard(text.replace(/\D/g, ''), commonIssuers),
}

/** A card in groups. Of plain numbers with sixteen digits, one in sixty would be valid by chance. */
const groupedCard: SplitForm = {
  ...card,
  signature: /\d{4}[ -]\d/,
  areParts: ({ text, parts }) => isGrouped(text) && !parts.every(isNumber),
}

const cardWords = compileContext(creditCard.context)?.words

const cardInContext: SplitForm = {
  ...card,
  signature: /\d(?:[ -]?\d){13}/,
  ...(cardWords && { contextWords: cardWords }),
  areParts: ({ before }) => cardWords?.test(before) === true,
}

/** The length of an IBAN follows from its country. */
const lengthOfIban = (match: string): number | undefined => {
  let left = countrySpecs[match.slice(0, 2)]?.chars
  if (left === undefined) return undefined
  for (let at = 0; at < match.length; at += 1) {
    if (match[at] !== ' ') left -= 1
    if (left === 0) return /^[A-Z\d]/.test(match.slice(at + 1)) ? undefined : at + 1
  }
  return undefined
}

const iban: SplitForm = {
  entity: 'IBAN_CODE',
  characters: String.raw`[A-Z\d ]`,
  minLength: 15,
  signature: /[A-Z]{2}\d{2}(?: ?[A-Z\d]){11}/,
  regex: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,48}/gu,
  validPrefixLength: lengthOfIban,
  validate: (text) => isValidIBAN(text.replaceAll(' ', '')),
}

const wallets = walletPatterns.map(({ regex, signature }): SplitForm => ({
  entity: crypto.entity,
  characters: String.raw`[\da-zA-Z]`,
  minLength: 14,
  signature,
  regex: globalPattern(regex),
  validate: validBy(crypto),
}))

export const splitForms: readonly SplitForm[] = [
  email,
  dashed('US_SSN'),
  dashed('US_ITIN'),
  ipv4,
  ipv6,
  mac,
  groupedCard,
  cardInContext,
  iban,
  ...wallets,
]
