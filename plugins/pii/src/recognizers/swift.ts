import { isValidBIC } from 'ibantools'
import type { Recognizer } from './recognizer.js'
import data from './swift.json' with { type: 'json' }

/** A word of eight capitals may look like one, so it is found only after context words. */
export const swift: Recognizer = {
  entity: 'SWIFT_CODE',
  patterns: [{ regex: /(?<![\p{L}\p{N}])[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?(?![\p{L}\p{N}])/u, score: 0.2 }],
  validate: (match) => isValidBIC(match),
  invalidInContext: false,
  ...data,
}
