import { isValidIBAN } from 'ibantools'
import type { Recognizer } from './recognizer.js'

export const iban: Recognizer = {
  entity: 'IBAN_CODE',
  patterns: [
    { regex: /(?<![\p{L}\p{N}])[a-z]{2}\d{2}[a-z\d]{11,30}(?![\p{L}\p{N}])/iu, score: 0.98 },
    {
      regex: /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?:[ -][a-z\d]{4}){2,7}(?:[ -][a-z\d]{1,3})?(?![\p{L}\p{N}])/iu,
      score: 0.98,
    },
  ],
  validate: (match) => isValidIBAN(match.replace(/[ -]/g, '').toUpperCase()),
  context: ['iban', 'bank', 'account', 'konto', 'cuenta', 'compte', 'conto'],
  examples: [
    'DE89370400440532013000',
    'GB82 WEST 1234 5698 7654 32',
    'to [FR14 2004 1010 0505 0001 3M02 606].',
    'IBAN: DE00370400440532013000',
  ],
  counterExamples: ['DE88370400440532013000', 'AB12 CDEF', 'XX99 1234 5678 9012 3456'],
}
