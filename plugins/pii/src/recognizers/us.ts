import { areSameDigits } from '../checksums/digits.js'
import { longestPrefix, digit, spreadDigits, wholeIf, wideGap } from '../patterns/spread.js'
import type { Group } from '../patterns/spread.js'
import { beforeNumber, afterNumber, afterWord, aloneOrInList } from '../patterns/boundaries.js'
import { raw } from '../patterns/raw-regex.js'
import type { Recognizer } from './recognizer.js'
import { numberOf } from './numbers.js'
import type { NumberRow } from './numbers.js'
import rows from './us-uk.json' with { type: 'json' }

const isSsn = (match: string): boolean => {
  const [, area = '', group, serial] = /^(\d{3}).?(\d{2}).?(\d{4})$/.exec(match) ?? []
  const never = ['000', '666'].includes(area) || area.startsWith('9') || group === '00' || serial === '0000'
  return !never && !areSameDigits(match) && !['123456789', '987654321'].includes(match.replace(/\D/g, ''))
}

const isSpreadSsn = (groups: readonly Group[]): boolean => {
  const digits = spreadDigits(groups)
  return digits?.length === 9 && isSsn(digits)
}

/** Whether the same joining symbol is in both gaps. */
const isJoined = (groups: readonly Group[]): boolean =>
  ['-', '_', '→', '⇒', '➔', '~', '•', '·'].some((symbol) =>
    groups.slice(1).every((group) => group.gap.includes(symbol)),
  )

const separator = String.raw`[\s*_"'\x60|+→⇒➔~•·-]{1,6}`

/** A number right after a word. One or two capitals before it make it a part number. */
const gluedSsn = raw.u`${afterWord}(?<!(?<!\p{L})\p{Lu}{1,2})\d{3}-\d{2}-\d{4}(?=[A-Za-z]{0,12}(?![\p{L}\p{N}]|-\d))`

const ssn: Omit<Recognizer, 'entity' | 'examples' | 'counterExamples'> = {
  encoded: true,
  patterns: [
    { regex: /(?<![\p{L}\p{N}]|\d[-.])\d{3}-\d{2}-\d{4}(?![\p{L}\p{N}]|-\d)/u, score: 0.85 },
    { regex: /(?<![\p{L}\p{N}]|\d[-. ])\d{3}[ .]\d{2}[ .]\d{4}(?![\p{L}\p{N}]|[-. ]\d)/u, score: 0.5 },
    { regex: aloneOrInList(String.raw`\d{9}`), score: 0.1 },
    {
      regex: raw.u`(?<![\p{L}\p{N}_]|\d[-.])${digit}{3}${separator}${digit}{2}${separator}${digit}{4}(?![\p{L}\p{N}]|[-_.]\d)`,
      score: 0.85,
      within: (match) =>
        longestPrefix(match, (groups) => groups.length === 3 && isJoined(groups) && isSpreadSsn(groups)),
    },
    {
      regex: raw.u`${beforeNumber}${digit}(?:(?:${wideGap})?${digit}){8}${afterNumber}`,
      score: 0.1,
      within: (match) => longestPrefix(match, isSpreadSsn),
    },
    { regex: gluedSsn, score: 0.85, within: wholeIf(isSsn) },
  ],
  validate: isSsn,
}

/** Patterns and validation that the table cannot express. */
const overrides: Readonly<Record<string, Partial<Recognizer>>> = {
  US_SSN: ssn,
  US_PASSPORT: {
    patterns: [
      { regex: aloneOrInList(String.raw`[a-z]?\d{8,9}`, 'iu'), score: 0.1 },
      // Passports of Germany have capitals only.
      {
        regex: /(?<![\p{L}\p{N}])(?=[A-Z]{1,8}\d)[CFGHJK][CFGHJKLMNPRTVWXYZ\d]{8}\d?(?![\p{L}\p{N}])/u,
        score: 0.1,
      },
    ],
  },
  US_BANK_NUMBER: { validate: (match) => (areSameDigits(match) ? false : undefined) },
}

/** Numbers of the United States and the United Kingdom. */
export const usAndUk: readonly Recognizer[] = (rows as readonly NumberRow[]).map((row) => ({
  ...numberOf(row),
  ...overrides[row.entity],
}))
