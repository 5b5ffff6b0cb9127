import type { Span } from '@sallyport/kit/views'
import { countrySpecs, isValidIBAN } from 'ibantools'
import { anyGap as gap, anyWideGap, digit, groupsOf } from '../patterns/spread.js'
import { afterWord } from '../patterns/boundaries.js'
import type { Recognizer } from './recognizer.js'
import data from './iban.json' with { type: 'json' }

/** The compact IBAN of a text, with zeros for look-alike letters; undefined where it is invalid. */
export const ibanIn = (text: string): string | undefined => {
  const compact = text.replace(/[^a-z\d]/gi, '').toUpperCase()
  if (!/^[A-Z]{2}[\dO]{2}/.test(compact)) return undefined
  const zeros = compact.slice(0, 2) + compact.slice(2).replaceAll('O', '0')
  return [...new Set([compact, zeros])].find((one) => isValidIBAN(one))
}

/** The IBAN at the beginning of a match, in whole groups. Its length follows from its country. */
const ibanWithin = (match: string): Span | undefined => {
  const [country = ''] = /^[a-zA-Z].{0,8}?[a-zA-Z]/s.exec(match) ?? []
  const length = countrySpecs[`${country.at(0)}${country.at(-1)}`.toUpperCase()]?.chars
  if (length === undefined) return undefined
  const compact = match.replace(/[^a-zA-Z\d]+/g, '')
  if (compact.length < length || ibanIn(compact.slice(0, length)) === undefined) return undefined
  let left = length
  const last = groupsOf(match).find(({ text }) => (left -= text.length) <= 0)
  return last && left === 0 ? { start: 0, end: last.end } : undefined
}

/** Country and check digits. In lower case, digits must follow at once, as `is 12` is not an IBAN. */
const beginning = `(?:[A-Z]{2}(?:${gap})?${digit}{2}|[a-zA-Z]{2}\\d{2}|[a-zA-Z]${gap}[a-zA-Z]${gap}${digit}${gap}${digit})`
const spread = new RegExp(String.raw`(?<![\p{L}\p{N}])${beginning}(?:(?:${anyWideGap})?[a-zA-Z\d]){11,30}`, 'u')

/** An IBAN without a space to neighbouring words. */
const glued = new RegExp(String.raw`${afterWord}[a-zA-Z]{2}\d{2}[a-zA-Z\d]{11,42}(?![\p{L}\p{N}])`, 'u')
const gluedWithin = (match: string): Span | undefined => {
  const length = countrySpecs[match.slice(0, 2).toUpperCase()]?.chars ?? Infinity
  return /^[a-zA-Z]*$/.test(match.slice(length)) && ibanIn(match.slice(0, length)) !== undefined
    ? { start: 0, end: length }
    : undefined
}

export const iban: Recognizer = {
  entity: 'IBAN_CODE',
  encoded: true,
  patterns: [
    { regex: /(?<![\p{L}\p{N}])[a-z]{2}\d{2}[a-z\d]{11,30}(?![\p{L}\p{N}])/iu, score: 0.98 },
    {
      regex: /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?:[ -][a-z\d]{4}){2,7}(?:[ -][a-z\d]{1,3})?(?![\p{L}\p{N}])/iu,
      score: 0.98,
    },
    { regex: spread, score: 0.9, within: ibanWithin },
    { regex: glued, score: 0.9, within: gluedWithin },
  ],
  validate: (match) => isValidIBAN(match.replace(/[ -]/g, '').toUpperCase()),
  ...data,
}
