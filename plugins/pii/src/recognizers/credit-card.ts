import { commonIssuers, isValidCard, issuers } from './card-issuers.js'
import type { Issuers } from './card-issuers.js'
import {
  anyGap,
  areSimilarLinks,
  asDigits,
  longestPrefix,
  digit,
  gap,
  groupsOf,
  haveSameGap,
  link,
  linkedGroups,
  symbol,
  spreadDigits,
  wholeIf,
  wideGap,
} from '../patterns/spread.js'
import type { Group } from '../patterns/spread.js'
import { beforeDecimals, beforeWord, afterLetter, afterWord } from '../patterns/boundaries.js'
import { raw } from '../patterns/raw-regex.js'
import type { Pattern, Recognizer } from './recognizer.js'
import data from './credit-card.json' with { type: 'json' }

const validate = (match: string): boolean => isValidCard(match.replace(/\D/g, ''))

const isSpread =
  (among: Issuers) =>
  (groups: readonly Group[]): boolean =>
    isValidCard(spreadDigits(groups) ?? '', among)

const hasCommonIssuer = isSpread(commonIssuers)

const before = String.raw`(?<![\p{L}\p{N}])(?<!\d[.,-])`
const after = String.raw`(?![\p{L}\p{N}]|[.,-]\d)`
const fourDigits = `${digit}{4}`
/** What precedes four digits that end another number, such as a telephone number. */
const longerNumber = String.raw`\d[-.]?|[2-9]\d\d\)? [2-9]\d\d `
/** A card in groups, without further groups of four digits, as in lists and tables. */
const inGroups = new RegExp(
  `(?=[2-6])${before}(?<!(?<!${longerNumber})\\d{4}${gap})` +
    `(?:\\d${digit}{3}(?:${gap}${fourDigits}){3}|3${digit}{3}${gap}${digit}{6}${gap}${digit}{4,5})${after}(?!${gap}\\d{4}(?!\\d))`,
  'u',
)
/** An operator or separator, which shows that numbers belong to a sum, path or version. */
const operator = String.raw`(?:\.|\s{0,3}[^\p{L}\p{N}\s.,;()[\]{}"'\x60|>-]\s{0,3})`
const withSymbols = new RegExp(
  `(?=[2-6])(?<![\\p{L}\\p{N}])(?<!\\d${operator})(?<!(?<!\\d)\\d{4}${anyGap})` +
    `(?:\\d${digit}{3}(?:${symbol}${fourDigits}){3}|3${digit}{3}${symbol}${digit}{6}${symbol}${digit}{5})` +
    `(?![\\p{L}\\p{N}]|\\s{0,3}=|${operator}\\d)(?!${anyGap}\\d{4}(?!\\d))`,
  'u',
)
/** A card in groups with dots, but not after words for versions and builds. */
const withDots = raw.iu`(?=[2-6])${before}(?<!(?:build|version|release|revision|(?<!\p{L})(?:v|ver|rev)\.?) ?)\d{4}(?:\.\d{4}){3}${after}`
/** A number with no other number nearby, as in tables. */
const alone = (number: string): RegExp =>
  raw.u`(?=[2-6])(?<![\p{L}\p{N}])(?<![\d$€£¥][^\p{L}\p{N}]{0,24})${number}(?![\p{L}\p{N}]|[^\p{L}\p{N}]{1,24}\d)`
const inCells = alone(String.raw`\d(?:[\s|]{1,5}\d){13,15}`)
const inThousands = alone(String.raw`\d(?:[,.'_]\d{3}){5}`)
/** Whether all of a match is a card number. Round numbers are amounts. */
const isWhole = (match: string): boolean => {
  const groups = groupsOf(match)
  return haveSameGap(groups) && hasCommonIssuer(groups) && !/0000$/.test(asDigits(match))
}
const whole = wholeIf(isWhole)

const inFields = new RegExp(
  `(?=[2-6]\\d{3}(?!\\d))(?<![\\p{L}\\p{N}]|\\d[.,-])(?<!(?<!\\d)\\d{4}${link})` +
    `\\d{4}(?:${link}\\d{4,6}){2,4}(?![\\p{L}\\p{N}]|[.,-]\\d)`,
  'u',
)
const wholeLinked = wholeIf((match) => {
  const { groups, links } = linkedGroups(match)
  const lengths = groups.map(({ length }) => length).join(' ')
  const isInCardGroups = (lengths === '4 4 4 4' || lengths === '4 6 5') && areSimilarLinks(links)
  return isInCardGroups && isValidCard(groups.join(''), commonIssuers)
})

/** A card number in the formats of amounts: with decimals, or with an exponent. */
const asAmount =
  /(?=[2-6])(?<![\p{L}\p{N}]|[\d$€£¥][.,-]?)(?:\d(?:[ -]?\d){13,15}[.,]\d{1,2}|\d\.\d{13,15}[eE]\+?1[3-5])(?![\p{L}\p{N}]|[.,-]\d)/u
const numberInAmount: Pattern['within'] = (match) => {
  const [number = '', exponent] = match.split(/e/i)
  const digits = exponent === undefined ? number.replace(/[.,]\d+$/, '') : number
  const compact = digits.replace(/\D/g, '')
  const isInteger = exponent === undefined || Number(exponent) === compact.length - 1
  const isCardNumber = isInteger && isValidCard(compact, commonIssuers) && !compact.endsWith('0000')
  return isCardNumber ? { start: 0, end: exponent === undefined ? digits.length : match.length } : undefined
}

/** Whether digits are ratings from 1 to 5: almost all cards have other digits. */
const areRatings = (digits: string): boolean => /^[1-5]+$/.test(digits) && new Set(digits).size > 3

const inAnyGroups = new RegExp(`(?=[2-68])${before}\\d(?:(?:${wideGap})?${digit}){11,18}(?![\\p{L}\\p{N}])`, 'u')

/** A number that may be in a list of others: its length or groups distinguish it from amounts. */
const inList = String.raw`(?:\d{13,19}|(?<!\d[ -])(?:\d{4}(?: \d{4}){3}|\d{4}(?:-\d{4}){3}|3\d{3}[ -]\d{6}[ -]\d{5})(?![ -]\d))(?!\.\d)`
/** A number with optional spaces or dashes between its digits, which does not begin within the number before it. */
const withGaps = String.raw`(?<!\d[.,-])(?!\d{1,12}[ -]\d{13})\d(?:[ -]?\d){11,18}(?![.,-]\d)`
const plain = (number: string): RegExp => raw.u`(?<![\p{L}\p{N}]|\d\.|${beforeDecimals})(?:${number})(?![\p{L}\p{N}])`

const glued = new RegExp(
  String.raw`(?=[2-6]\d{3})${afterWord}` +
    String.raw`(?:\d{14,16}|${afterLetter}(?:\d{4}(?: \d{4}){3}|\d{4}(?:-\d{4}){3}|3\d{3} \d{6} \d{5})(?! \d{4}(?!\d)))` +
    beforeWord(String.raw`\d{14,16}`),
  'u',
)
const wholeOfIssuer = wholeIf((match) => isValidCard(asDigits(match), commonIssuers))

export const creditCard: Recognizer = {
  entity: 'CREDIT_CARD',
  encoded: true,
  patterns: [
    // A pattern of its own: an invalid match of another one that begins earlier would hide it.
    { regex: plain(inList), score: 0.95 },
    { regex: plain(withGaps), score: 0.95 },
    { regex: glued, score: 0.9, within: wholeOfIssuer },
    {
      regex: inGroups,
      score: 0.9,
      within: (match) => longestPrefix(match, (groups) => haveSameGap(groups) && hasCommonIssuer(groups)),
    },
    { regex: withSymbols, score: 0.9, within: whole },
    { regex: withDots, score: 0.6, within: whole },
    { regex: inCells, score: 0.6, within: wholeIf((match) => !areRatings(asDigits(match)) && isWhole(match)) },
    { regex: inThousands, score: 0.6, within: whole },
    { regex: inFields, score: 0.9, within: wholeLinked },
    { regex: asAmount, score: 0.9, within: numberInAmount },
    { regex: inAnyGroups, score: 0.3, within: (match) => longestPrefix(match, isSpread(issuers)) },
  ],
  validate,
  ...data,
}
