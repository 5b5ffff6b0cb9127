import { luhn, verhoeff } from '../../checksums/index.js'
import { digitsOf, isDay, sameDigits, two, weighted } from '../../checksums/digits.js'
import { inContext, nationalId } from './entry.js'

const isTfn = (match: string): boolean => weighted(digitsOf(match), [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0

const isMedicare = (match: string): boolean => {
  const digits = digitsOf(match)
  return weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digits[8]
}

const nricLetters: Readonly<Record<string, string>> = {
  S: 'JZIHGFEDCBA',
  T: 'GFEDCBAJZIH',
  F: 'XWUTRQPNMLK',
  G: 'RQPNMLKXWUT',
  M: 'KLJNPQRTUWX',
}

const isNric = (match: string): boolean => {
  const text = match.toUpperCase()
  const prefix = text.slice(0, 1)
  const rest = (weighted(digitsOf(text), [2, 7, 6, 5, 4, 3, 2]) + (prefix === 'M' ? 3 : 0)) % 11
  return nricLetters[prefix]?.[prefix === 'M' ? 10 - rest : rest] === text.at(-1)
}

/** Numbers given since October 2020 have no check digit: what counts is the day. */
const isRrn = (match: string): boolean => {
  const text = match.replace(/\D/g, '')
  return isDay(two(text, 0), two(text, 2), two(text, 4)) && text[6] !== '0'
}

const isChinese = (match: string): boolean => {
  const text = match.toUpperCase()
  const sum = weighted(digitsOf(text), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
  return text[17] === '10X98765432'[sum % 11] && isDay(Number(text.slice(6, 10)), two(text, 10), two(text, 12))
}

const isThai = (match: string): boolean => {
  const digits = digitsOf(match)
  return (11 - (weighted(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === digits[12]
}

const taiwanLetters = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'

const isTaiwanese = (match: string): boolean => {
  const area = taiwanLetters.indexOf(match[0]?.toUpperCase() ?? '') + 10
  const digits = [Math.floor(area / 10), area % 10, ...digitsOf(match)]
  return weighted(digits, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0
}

const isMyNumber = (match: string): boolean => {
  const digits = digitsOf(match)
  const rest = weighted(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (rest < 2 ? 0 : 11 - rest) === digits[11]
}

export const asiaPacific = [
  nationalId({
    entity: 'IN_AADHAAR',
    shapes: {
      '[2-9]\\d{3} \\d{4} \\d{4}': 0.7,
      '[2-9]\\d{3}-\\d{4}-\\d{4}': 0.7,
      '[2-9]\\d{3}[./_]\\d{4}[./_]\\d{4}': 0.55,
      '[2-9]\\d{11}': inContext,
    },
    validate: verhoeff,
    context: ['aadhaar', 'aadhar', 'uidai', 'आधार', 'ஆதார்', 'ఆధార్', 'আধার'],
    examples: ['2341 2341 2346', '2341.2341.2346', 'Aadhaar 234123412346'],
    counterExamples: ['2341 2341 2347', '2341.2341.2347', '234123412346'],
  }),
  nationalId({
    entity: 'IN_PAN',
    shapes: { '[a-z]{3}[abcfghljpt][a-z]\\d{4}[a-z]': 0.6 },
    context: ['pan', 'permanent account', 'पैन'],
    examples: ['ACUPA7085R', 'PAN: acupa7085r'],
    counterExamples: ['ACUQA7085R', 'ACUPA70851'],
  }),
  nationalId({
    entity: 'AU_TFN',
    shapes: { '\\d{3} \\d{3} \\d{3}': 0.4, '\\d{9}': inContext },
    validate: isTfn,
    context: ['tfn', 'tax file'],
    examples: ['TFN 123 456 782', 'tax file number 123456782'],
    counterExamples: ['123 456 783', '123456782'],
  }),
  nationalId({
    entity: 'AU_MEDICARE',
    shapes: { '[2-6]\\d{3} \\d{5} \\d': 0.55, '[2-6]\\d{9}': inContext },
    validate: isMedicare,
    context: ['medicare'],
    examples: ['2123 45670 1', 'Medicare 2123456701'],
    counterExamples: ['2123 45671 1', '2123456701'],
  }),
  nationalId({
    entity: 'SG_NRIC_FIN',
    shapes: { '[stfgm]\\d{7}[a-z]': 0.8 },
    validate: isNric,
    context: ['nric', 'fin'],
    examples: ['S1234567D', 'nric S1234567A'],
    counterExamples: ['S1234567A', 'A1234567D'],
  }),
  nationalId({
    entity: 'KR_RRN',
    shapes: { '\\d{6}-[1-8]\\d{6}': 0.8 },
    validate: isRrn,
    context: ['주민등록', '주민번호', '외국인등록', 'rrn', 'resident registration'],
    examples: ['971013-1019902'],
    counterExamples: ['971313-1019902'],
  }),
  nationalId({
    entity: 'CN_RESIDENT_ID',
    shapes: { '[1-8]\\d{5}(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{3}[\\dx]': 0.9 },
    validate: isChinese,
    context: ['身份证', '身份號', '身份号', '身份證', 'resident identity'],
    examples: ['360426199101010071'],
    counterExamples: ['360426199101010072', '360426199113010071'],
  }),
  nationalId({
    entity: 'TW_NATIONAL_ID',
    shapes: { '[a-z][1289]\\d{8}': 0.55 },
    validate: isTaiwanese,
    context: ['身分證', '身份證', '統一編號', '居留證'],
    examples: ['A123456789'],
    counterExamples: ['A123456788'],
  }),
  nationalId({
    entity: 'TH_TNIN',
    shapes: { '[1-8]-\\d{4}-\\d{5}-\\d{2}-\\d': 0.85, '[1-8]\\d{12}': inContext },
    validate: isThai,
    context: ['thai', 'เลขประจำตัว', 'บัตรประชาชน', 'เลขบัตร'],
    examples: ['1-2345-45678-78-1', 'thai id 1234545678781'],
    counterExamples: ['1-2345-45678-78-2'],
  }),
  nationalId({
    entity: 'JP_MY_NUMBER',
    shapes: { '\\d{4} \\d{4} \\d{4}': 0.3, '\\d{12}': inContext },
    validate: isMyNumber,
    context: ['マイナンバー', 'my number', '個人番号', 'マイナカード'],
    examples: ['My Number 123456789018'],
    counterExamples: ['123456789018'],
  }),
  nationalId({
    entity: 'IL_ID',
    shapes: { '\\d{8}-\\d': 0.4, '\\d{9}': inContext },
    validate: (match) => luhn(match) && !sameDigits(match),
    context: ['teudat zehut', 'תעודת זהות', 'תעודת הזהות', 'מספר זהות', 'ת"ז', 'ת״ז', 'israeli id'],
    examples: ['teudat zehut 039337423'],
    counterExamples: ['039337423'],
  }),
  nationalId({
    entity: 'ZA_ID',
    shapes: { '\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{4}[01][89]\\d': 0.6 },
    validate: (match) => luhn(match) && isDay(two(match, 0), two(match, 2), two(match, 4)),
    context: ['south african'],
    examples: ['7503305044089'],
    counterExamples: ['7503305044088', '7513305044089'],
  }),
]
