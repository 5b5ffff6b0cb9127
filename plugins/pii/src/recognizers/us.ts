import { luhn } from '../checksums/index.js'
import { digitsOf, sameDigits, weighted } from '../checksums/digits.js'
import { areMostlyDigits, asDigits, beginningOf, digit, wideGap } from '../patterns/spread.js'
import type { Group } from '../patterns/spread.js'
import { accountWords, passportWords } from './data/document-words.js'
import { beforeNumber, behindNumber, behindWord, inRows } from '../patterns/beside-numbers.js'
import type { Recognizer } from './recognizer.js'

const isSsn = (match: string): boolean => {
  const [, area = '', group, serial] = /^(\d{3}).?(\d{2}).?(\d{4})$/.exec(match) ?? []
  const never = ['000', '666'].includes(area) || area.startsWith('9') || group === '00' || serial === '0000'
  return !never && !sameDigits(match) && !['123456789', '987654321'].includes(match.replace(/\D/g, ''))
}

const isSpread = (groups: readonly Group[]): boolean => {
  const text = groups.map((group) => group.text).join('')
  return areMostlyDigits(text) && text.length === 9 && isSsn(asDigits(text))
}

/** With a dash, or another sign that joins, in both places. */
const isJoined = (groups: readonly Group[]): boolean =>
  ['-', '_', '→', '⇒', '➔', '~', '•', '·'].some((sign) => groups.slice(1).every((group) => group.gap.includes(sign)))

const joined = String.raw`[\s*_"'\x60|+→⇒➔~•·-]{1,6}`

/** Behind a word; one or two capitals are those of a part's number. */
const gluedSsn = new RegExp(
  String.raw`${behindWord}(?<!(?<!\p{L})\p{Lu}{1,2})\d{3}-\d{2}-\d{4}(?=[A-Za-z]{0,12}(?![\p{L}\p{N}]|-\d))`,
  'u',
)

const ssn: Recognizer = {
  entity: 'US_SSN',
  encoded: true,
  patterns: [
    { regex: /(?<![\p{L}\p{N}]|\d[-.])\d{3}-\d{2}-\d{4}(?![\p{L}\p{N}]|-\d)/u, score: 0.85 },
    { regex: /(?<![\p{L}\p{N}]|\d[-. ])\d{3}[ .]\d{2}[ .]\d{4}(?![\p{L}\p{N}]|[-. ]\d)/u, score: 0.5 },
    { regex: inRows(String.raw`\d{9}`), score: 0.1 },
    {
      regex: new RegExp(
        String.raw`(?<![\p{L}\p{N}_]|\d[-.])${digit}{3}${joined}${digit}{2}${joined}${digit}{4}(?![\p{L}\p{N}]|[-_.]\d)`,
        'u',
      ),
      score: 0.85,
      within: (match) => beginningOf(match, (groups) => groups.length === 3 && isJoined(groups) && isSpread(groups)),
    },
    {
      regex: new RegExp(String.raw`${beforeNumber}${digit}(?:(?:${wideGap})?${digit}){8}${behindNumber}`, 'u'),
      score: 0.1,
      within: (match) => beginningOf(match, isSpread),
    },
    {
      regex: gluedSsn,
      score: 0.85,
      within: (match) => (isSsn(match) ? { start: 0, end: match.length } : undefined),
    },
  ],
  validate: isSsn,
  context: ['ssn', 'ssns', 'ssn#', 'social security', 'soc sec', 'social sec'],
  examples: [
    '536-22-1234',
    'my SSN is 111-22-3333',
    'SSN: 666-12-3456',
    'social security number 536221234',
    '078-05-1120',
    '078-\n05-\n1120',
    '078_05_1120',
    '078 - 05 - 1120',
    '078-**05**-1120',
    '078-O5-112O',
    '078→05→1120',
    '078 ~ 05 ~ 1120',
    "'[078' + '-05-' + '1120]'",
    'SSN 0 7 8 0 5 1 1 2 0',
    'SSN:\n- 078\n- 05\n- 1120',
    'SSN 078/05/1120',
    'SSN [078            05            1120]',
    'x[078-05-1120]',
    'ssn[078-05-1120]abc',
  ],
  counterExamples: [
    'PN078-05-1120',
    'x12a078-05-1120',
    '666-12-3456',
    '536-22-12345',
    'order 536221234',
    '12-536-22-1234',
    '| 536 | 22 | 1234 |',
    '536/22/1234',
    '5 3 6 2 2 1 2 3 4',
    'img_536_22_1234',
    'pages 536,\n22,\n1234',
    '536 + 22 + 1234',
    '536→22-1234',
  ],
}

const itin: Recognizer = {
  entity: 'US_ITIN',
  patterns: [
    {
      regex: /(?<![\p{L}\p{N}]|\d[-.])9\d{2}[ -](?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])[ -]\d{4}(?![\p{L}\p{N}]|-\d)/u,
      score: 0.7,
    },
    {
      regex: /(?<![\p{L}\p{N}]|\d[-.])9\d{2}(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\d{4}(?![\p{L}\p{N}]|-\d)/u,
      score: 0.1,
    },
  ],
  context: ['itin', 'taxpayer', 'tax id', 'individual tax'],
  examples: ['912-70-1234', 'ITIN 912701234'],
  counterExamples: ['912-40-1234', '912701234'],
}

const usPassport: Recognizer = {
  entity: 'US_PASSPORT',
  patterns: [
    { regex: inRows(String.raw`[a-z]?\d{8,9}`, 'iu'), score: 0.1 },
    // Of Germany.
    {
      regex: /(?<![\p{L}\p{N}])(?=[A-Z]{1,8}\d)[CFGHJK][CFGHJKLMNPRTVWXYZ\d]{8}\d?(?![\p{L}\p{N}])/u,
      score: 0.1,
    },
  ],
  context: ['passport', 'travel document', ...passportWords],
  examples: ['US passport 123456789', 'passport no. C12345678', 'Reisepass C01X00T47'],
  counterExamples: ['123456789', 'passport page 12', 'C01X00T47', 'passport FLUGHAFEN'],
}

/** Shapes of the states; without the giving word, all of them are something else. */
const usDriverLicense: Recognizer = {
  entity: 'US_DRIVER_LICENSE',
  patterns: [
    {
      regex: inRows(
        String.raw`(?:[a-z]{1,2}\d{3,14}[a-z]{0,2}|\d{7,14}|\d{1,2}[a-z]{2,3}\d{4,5}|[a-z]{3}\d{6}[a-z\d]{1,5})`,
        'iu',
      ),
      score: 0.1,
    },
    {
      regex: inRows(String.raw`[a-z]\d{2,4}[ -]\d{3,4}[ -]\d{2,4}(?:[ -]\d{1,4}){0,2}`, 'iu'),
      score: 0.2,
    },
    { regex: inRows(String.raw`\d{2,3}[ -]\d{3}[ -]\d{3,4}`), score: 0.1 },
  ],
  context: [
    'driver license',
    'drivers license',
    "driver's license",
    "driver's licence",
    'driving licence',
    'driving license',
    'driver licence',
    'licence number',
    'license number',
    'dl number',
    'dl#',
    'permit number',
  ],
  examples: [
    "driver's license H12234567890",
    'driving licence D123-4567-8901',
    "my driver's license number is a56319335",
  ],
  counterExamples: ['H12234567890', "driver's license in 2020"],
}

const usBank: Recognizer = {
  entity: 'US_BANK_NUMBER',
  patterns: [{ regex: inRows(String.raw`\d{8,17}`), score: 0.1 }],
  validate: (match) => (sameDigits(match) ? false : undefined),
  context: [
    'bank account',
    'account number',
    'account no',
    'account #',
    'acct',
    'checking',
    'savings',
    'routing',
    'bank number',
    'debit account',
    ...accountWords,
  ],
  examples: ['bank account 945456787654', 'checking account number is 12345678901'],
  counterExamples: ['945456787654', 'my account is active since 2019'],
}

const isRouting = (match: string): boolean =>
  weighted(digitsOf(match), [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 && !sameDigits(match)

const abaRouting: Recognizer = {
  entity: 'ABA_ROUTING_NUMBER',
  patterns: [{ regex: inRows(String.raw`[0-3678]\d{3}-?\d{4}-?\d`), score: 0.1 }],
  validate: isRouting,
  context: ['routing', 'aba', 'rtn', 'transit number'],
  examples: ['routing number 021000021', 'ABA 1210-0035-8'],
  counterExamples: ['021000021', 'the routing of 12 buses'],
}

const isDea = (match: string): boolean => {
  const digits = digitsOf(match)
  return weighted(digits, [1, 2, 1, 2, 1, 2]) % 10 === digits[6]
}

/** Of the Drug Enforcement Administration, and of providers (NPI). */
const medicalLicense: Recognizer = {
  entity: 'MEDICAL_LICENSE',
  patterns: [{ regex: /(?<![\p{L}\p{N}])[abcdefghjklmprstux][a-z9]-?\d{7}(?![\p{L}\p{N}])/iu, score: 0.7 }],
  validate: isDea,
  context: ['dea', 'medical', 'certificate', 'prescriber'],
  examples: ['AB1234563', 'DEA number FC5836727', 'DEA AB1234567'],
  counterExamples: ['AB1234567', 'AB12345634'],
}

const npi: Recognizer = {
  entity: 'US_NPI',
  patterns: [{ regex: inRows(String.raw`[12]\d{9}`), score: 0.1 }],
  validate: (match) => luhn(`80840${match}`),
  context: ['npi', 'national provider'],
  examples: ['NPI 1234567893'],
  counterExamples: ['1234567893', 'at 1234567890'],
}

export const us: readonly Recognizer[] = [
  ssn,
  itin,
  usPassport,
  usDriverLicense,
  usBank,
  abaRouting,
  medicalLicense,
  npi,
]
