import { digitsOf, sameDigits, weighted } from '../checksums/digits.js'
import { inRows } from '../patterns/beside-numbers.js'
import type { Recognizer } from './recognizer.js'

const isNhs = (match: string): boolean =>
  !sameDigits(match) && weighted(digitsOf(match), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0

const nhs: Recognizer = {
  entity: 'UK_NHS',
  patterns: [
    { regex: inRows(String.raw`\d{3}[ -]\d{3}[ -]\d{4}`), score: 0.4 },
    { regex: inRows(String.raw`\d{10}`), score: 0.1 },
  ],
  validate: isNhs,
  context: ['nhs', 'national health', 'health service', 'patient number'],
  examples: ['NHS 943 476 5919', 'my NHS number is 9434765919', 'NHS number: 943 476 5918'],
  counterExamples: ['943 476 5918', '9434765919'],
}

const nino: Recognizer = {
  entity: 'UK_NINO',
  patterns: [
    {
      regex:
        /(?<![\p{L}\p{N}])(?!bg|gb|nk|kn|nt|tn|zz)[abceghj-prstw-z][abceghj-nprstw-z] ?\d{2} ?\d{2} ?\d{2} ?[a-d](?![\p{L}\p{N}])/iu,
      score: 0.8,
    },
  ],
  context: ['national insurance', 'ni number', 'nino'],
  examples: ['AB123456C', 'AB 12 34 56 C', 'NI number [jg103759a].'],
  counterExamples: ['BG123456C', 'AB123456', 'AB123456E', 'QQ123456C'],
}

export const uk: readonly Recognizer[] = [nhs, nino]
