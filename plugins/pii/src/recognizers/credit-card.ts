import { common, isIssued, issuers } from './card-issuers.js'
import type { Issuers } from './card-issuers.js'
import {
  anyGap,
  areAlike,
  asDigits,
  beginningOf,
  digit,
  gap,
  groupsOf,
  haveOneGap,
  link,
  linkedGroups,
  sign,
  spreadDigits,
  wholeIf,
  wideGap,
} from '../patterns/spread.js'
import type { Group } from '../patterns/spread.js'
import { beforeDecimals, beforeWord, behindLetter, behindWord } from '../patterns/beside.js'
import type { Pattern, Recognizer } from './recognizer.js'
import data from './credit-card.json' with { type: 'json' }

const validate = (match: string): boolean => isIssued(match.replace(/\D/g, ''))

const isSpread =
  (of: Issuers) =>
  (groups: readonly Group[]): boolean =>
    isIssued(spreadDigits(groups) ?? '', of)

const isCommon = isSpread(common)

const before = String.raw`(?<![\p{L}\p{N}])(?<!\d[.,-])`
const after = String.raw`(?![\p{L}\p{N}]|[.,-]\d)`
const four = `${digit}{4}`
/** Before four digits that are the end of another number, such as of a telephone. */
const longer = String.raw`\d[-.]?|[2-9]\d\d\)? [2-9]\d\d `
/** Not among others of four digits: those are a list, or a table. */
const inGroups = new RegExp(
  `(?=[2-6])${before}(?<!(?<!${longer})\\d{4}${gap})` +
    `(?:\\d${digit}{3}(?:${gap}${four}){3}|3${digit}{3}${gap}${digit}{6}${gap}${digit}{4,5})${after}(?!${gap}\\d{4}(?!\\d))`,
  'u',
)
/** Not between other numbers in one sum, path or version. */
const operator = String.raw`(?:\.|\s{0,3}[^\p{L}\p{N}\s.,;()[\]{}"'\x60|>-]\s{0,3})`
const inSigns = new RegExp(
  `(?=[2-6])(?<![\\p{L}\\p{N}])(?<!\\d${operator})(?<!(?<!\\d)\\d{4}${anyGap})` +
    `(?:\\d${digit}{3}(?:${sign}${four}){3}|3${digit}{3}${sign}${digit}{6}${sign}${digit}{5})` +
    `(?![\\p{L}\\p{N}]|\\s{0,3}=|${operator}\\d)(?!${anyGap}\\d{4}(?!\\d))`,
  'u',
)
/** Versions and numbers of builds are written like this. */
const inStops = new RegExp(
  String.raw`(?=[2-6])${before}(?<!(?:build|version|release|revision|(?<!\p{L})(?:v|ver|rev)\.?) ?)\d{4}(?:\.\d{4}){3}${after}`,
  'iu',
)
/** With no other number nearby: tables have many. */
const alone = (number: string): RegExp =>
  new RegExp(
    String.raw`(?=[2-6])(?<![\p{L}\p{N}])(?<![\d$€£¥][^\p{L}\p{N}]{0,24})${number}(?![\p{L}\p{N}]|[^\p{L}\p{N}]{1,24}\d)`,
    'u',
  )
const inCells = alone(String.raw`\d(?:[\s|]{1,5}\d){13,15}`)
const inThousands = alone(String.raw`\d(?:[,.'_]\d{3}){5}`)
/** All of a match. Round ones are amounts. */
const isWhole = (match: string): boolean => {
  const groups = groupsOf(match)
  return haveOneGap(groups) && isCommon(groups) && !/0000$/.test(asDigits(match))
}
const whole = wholeIf(isWhole)

const inFields = new RegExp(
  `(?=[2-6]\\d{3}(?!\\d))(?<![\\p{L}\\p{N}]|\\d[.,-])(?<!(?<!\\d)\\d{4}${link})` +
    `\\d{4}(?:${link}\\d{4,6}){2,4}(?![\\p{L}\\p{N}]|[.,-]\\d)`,
  'u',
)
const linked = wholeIf((match) => {
  const { groups, links } = linkedGroups(match)
  const lengths = groups.map(({ length }) => length).join(' ')
  const isOne = (lengths === '4 4 4 4' || lengths === '4 6 5') && areAlike(links)
  return isOne && isIssued(groups.join(''), common)
})

/** A card number as spreadsheets and programs write numbers that they calculate with. */
const asAmount =
  /(?=[2-6])(?<![\p{L}\p{N}]|[\d$€£¥][.,-]?)(?:\d(?:[ -]?\d){13,15}[.,]\d{1,2}|\d\.\d{13,15}[eE]\+?1[3-5])(?![\p{L}\p{N}]|[.,-]\d)/u
const calculated: Pattern['within'] = (match) => {
  const [number = '', exponent] = match.split(/e/i)
  const digits = exponent === undefined ? number.replace(/[.,]\d+$/, '') : number
  const compact = digits.replace(/\D/g, '')
  const isWhole = exponent === undefined || Number(exponent) === compact.length - 1
  const isOne = isWhole && isIssued(compact, common) && !compact.endsWith('0000')
  return isOne ? { start: 0, end: exponent === undefined ? digits.length : match.length } : undefined
}

/** Rows of single digits from 1 to 5 are marks that somebody gave: hardly any card has no other ones. */
const areMarks = (digits: string): boolean => /^[1-5]+$/.test(digits) && new Set(digits).size > 3

const inAnyGroups = new RegExp(`(?=[2-68])${before}\\d(?:(?:${wideGap})?${digit}){11,18}(?![\\p{L}\\p{N}])`, 'u')

/** In a row of other numbers: no thousands have so many digits behind a comma, and no others groups like these. */
const inRow = String.raw`(?:\d{13,19}|(?<!\d[ -])(?:\d{4}(?: \d{4}){3}|\d{4}(?:-\d{4}){3}|3\d{3}[ -]\d{6}[ -]\d{5})(?![ -]\d))(?!\.\d)`
/** Not from a number before it. */
const inOneGap = String.raw`(?<!\d[.,-])(?!\d{1,12}[ -]\d{13})\d(?:[ -]?\d){11,18}(?![.,-]\d)`
const plain = (number: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}]|\d\.|${beforeDecimals})(?:${number})(?![\p{L}\p{N}])`, 'u')

const glued = new RegExp(
  String.raw`(?=[2-6]\d{3})${behindWord}` +
    String.raw`(?:\d{14,16}|${behindLetter}(?:\d{4}(?: \d{4}){3}|\d{4}(?:-\d{4}){3}|3\d{3} \d{6} \d{5})(?! \d{4}(?!\d)))` +
    beforeWord(String.raw`\d{14,16}`),
  'u',
)
const ofIssuer = wholeIf((match) => isIssued(asDigits(match), common))

export const creditCard: Recognizer = {
  entity: 'CREDIT_CARD',
  encoded: true,
  patterns: [
    // Apart: what begins before a number, and is none, would hide it.
    { regex: plain(inRow), score: 0.95 },
    { regex: plain(inOneGap), score: 0.95 },
    { regex: glued, score: 0.9, within: ofIssuer },
    {
      regex: inGroups,
      score: 0.9,
      within: (match) => beginningOf(match, (groups) => haveOneGap(groups) && isCommon(groups)),
    },
    { regex: inSigns, score: 0.9, within: whole },
    { regex: inStops, score: 0.6, within: whole },
    { regex: inCells, score: 0.6, within: wholeIf((match) => !areMarks(asDigits(match)) && isWhole(match)) },
    { regex: inThousands, score: 0.6, within: whole },
    { regex: inFields, score: 0.9, within: linked },
    { regex: asAmount, score: 0.9, within: calculated },
    { regex: inAnyGroups, score: 0.3, within: (match) => beginningOf(match, isSpread(issuers)) },
  ],
  validate,
  ...data,
}
