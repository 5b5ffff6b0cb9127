/**
 * What is looked for in values that are joined: forms that hardly anything else has, or that a checksum confirms. Two
 * values that have nothing to do with each other make up none of them.
 */

import { countrySpecs, isValidIBAN } from 'ibantools'
import { contextOf } from '../matching/context.js'
import { isIssued, common } from '../recognizers/card-issuers.js'
import { creditCard } from '../recognizers/credit-card.js'
import { crypto, walletPatterns } from '../recognizers/crypto.js'
import { isTopLevelDomain } from '../words/domains.js'
import { ipAddress } from '../recognizers/ip.js'
import type { Recognizer } from '../recognizers/recognizer.js'
import { usAndUk } from '../recognizers/us.js'

/** A match over several values. */
export interface SplitMatch {
  readonly text: string
  /** What each of the values has of it, at least two. */
  readonly parts: readonly string[]
  /** The name under which the first of the values stands, and what it says before the match. */
  readonly before: string
}

export interface SplitForm {
  readonly entity: string
  /** The characters that it is made of, as a set of a pattern. */
  readonly characters: string
  /** UTF-16 units of the shortest one. */
  readonly minLength: number
  /** What stands in each of them, whatever stands beside it. */
  readonly sign: RegExp
  /** Words of which one stands in the values or their names, where digits alone are looked for. */
  readonly named?: RegExp
  /** Global. */
  readonly regex: RegExp
  /** How much of a match is one, of so many UTF-16 units; all of it where absent. */
  readonly within?: (match: string) => number | undefined
  readonly validate: (text: string) => boolean
  /** Whether the values look like parts of one, and not like others that make up one by chance; true where absent. */
  readonly areParts?: (match: SplitMatch) => boolean
}

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text)

/** Whether values are cut at a sign: rows of other numbers, such as of versions, hardly are. */
const isCutAt =
  (sign: string) =>
  ({ parts }: SplitMatch): boolean =>
    parts.some((part, at) => at > 0 && (part.startsWith(sign) || parts[at - 1]?.endsWith(sign)))

const validBy =
  (recognizer: Recognizer | undefined) =>
  (text: string): boolean =>
    recognizer?.validate?.(text) !== false

const mail: SplitForm = {
  entity: 'EMAIL_ADDRESS',
  characters: String.raw`[\p{L}\p{N}_.%+'@-]`,
  minLength: 6,
  sign: /[\p{L}\p{N}_%+.'-]@[\p{L}\p{N}-]+\./u,
  regex:
    /(?<![\p{L}\p{N}_%+'@.-])[\p{L}\p{N}_%+][\p{L}\p{N}._%+'-]{0,63}(?<!\.)@(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])/gu,
  validate: (text) => isTopLevelDomain(text.slice(text.lastIndexOf('.') + 1)),
  areParts: ({ text }) => !/^\d+@/.test(text),
}

/** The pattern of a recogniser, searched in a row. */
const globally = ({ source, flags }: RegExp = /(?!)/): RegExp => new RegExp(source, `${flags}g`)

/** A number of nine digits with dashes. A row of negative numbers looks like one, too. */
const dashed = (entity: string): SplitForm => {
  const recognizer = usAndUk.find((one) => one.entity === entity)
  return {
    entity,
    characters: String.raw`[\d-]`,
    minLength: 11,
    sign: /\d{3}-\d{2}-\d{4}/,
    regex: globally(recognizer?.patterns[0]?.regex),
    validate: validBy(recognizer),
    areParts: ({ parts }) => !parts.every(isNumber),
  }
}

const isVersion = /version|release|build|revision/iu

const ipv4: SplitForm = {
  entity: 'IP_ADDRESS',
  characters: String.raw`[\d.]`,
  minLength: 7,
  sign: /\d\.\d{1,3}\.\d{1,3}\.\d/,
  regex: /(?<![\p{L}\p{N}.])(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}]|\.\d)/gu,
  validate: validBy(ipAddress),
  // A decimal that ends a sentence and another one may make up such a number: nobody has an address that begins with zero.
  areParts: (match) => isCutAt('.')(match) && !/^0+\./.test(match.text) && !isVersion.test(match.before),
}

const ipv6: SplitForm = {
  entity: 'IP_ADDRESS',
  characters: String.raw`[\da-fA-F:]`,
  minLength: 6,
  sign: /:[\da-f]{0,4}:/i,
  regex: /(?<![\p{L}\p{N}:.])(?:[a-f\d]{0,4}:){2,7}[a-f\d]{0,4}(?![\p{L}\p{N}:])/giu,
  validate: validBy(ipAddress),
  areParts: isCutAt(':'),
}

const mac: SplitForm = {
  entity: 'MAC_ADDRESS',
  characters: String.raw`[\da-fA-F:-]`,
  minLength: 17,
  sign: /(?:[\da-f]{2}[:-]){5}/i,
  regex: /(?<![\p{L}\p{N}:-])[a-f\d]{2}(?:(?::[a-f\d]{2}){5}|(?:-[a-f\d]{2}){5})(?![\p{L}\p{N}:-])/giu,
  validate: () => true,
  areParts: ({ parts }) => !parts.every(isNumber),
}

/** Whether signs stand between groups, wherever values do not part them. */
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
  validate: (text: string) => isIssued(text.replace(/\D/g, ''), common),
}

/** Digits alone are a card by chance, one number in sixty of sixteen digits. */
const groupedCard: SplitForm = {
  ...card,
  sign: /\d{4}[ -]\d/,
  areParts: ({ text, parts }) => isGrouped(text) && !parts.every(isNumber),
}

const cardWords = contextOf(creditCard.context)?.given

const namedCard: SplitForm = {
  ...card,
  sign: /\d(?:[ -]?\d){13}/,
  ...(cardWords && { named: cardWords }),
  areParts: ({ before }) => cardWords?.test(before) === true,
}

/** Its length follows from its country. */
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
  sign: /[A-Z]{2}\d{2}(?: ?[A-Z\d]){11}/,
  regex: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,48}/gu,
  within: lengthOfIban,
  validate: (text) => isValidIBAN(text.replaceAll(' ', '')),
}

const wallets = walletPatterns.map(({ regex, sign }): SplitForm => ({
  entity: crypto.entity,
  characters: String.raw`[\da-zA-Z]`,
  minLength: 14,
  sign,
  regex: globally(regex),
  validate: validBy(crypto),
}))

export const splitForms: readonly SplitForm[] = [
  mail,
  dashed('US_SSN'),
  dashed('US_ITIN'),
  ipv4,
  ipv6,
  mac,
  groupedCard,
  namedCard,
  iban,
  ...wallets,
]
