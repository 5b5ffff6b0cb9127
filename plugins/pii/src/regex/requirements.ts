import { minOf } from '@sallyport/kit/lists'
import type { AST } from '@eslint-community/regexpp'
import { hashedClause } from './text-index.js'
import type { TextIndex, HashedClause } from './text-index.js'
import { literalsOf } from './literals.js'

/** What every match of a pattern contains: a text without it has no match. */
export interface Requirements {
  /** The minimum number of ASCII digits. */
  readonly minDigits: number
  /** The maximum length of a match in UTF-16 code units, which contains the digits. */
  readonly maxLength: number
  /** Whether case is ignored in clauses. */
  readonly ignoreCase: boolean
  /** Every match contains a string of each clause, in itself or across its ends. */
  readonly clauses: readonly HashedClause[]
}

export const requirementsOf = (pattern: AST.Pattern, maxLength: number, ignoreCase: boolean): Requirements => ({
  minDigits: digitsOf(pattern),
  maxLength,
  ignoreCase,
  clauses: literalsOf(pattern, ignoreCase).map(hashedClause),
})

/** Whether a text meets the requirements of a pattern. */
export const mayMatch = ({ minDigits, maxLength, ignoreCase, clauses }: Requirements, index: TextIndex): boolean =>
  index.hasDigits(minDigits, maxLength) && clauses.every((clause) => index.hasOneOf(clause, ignoreCase))

const digitsOf = ({ alternatives }: { readonly alternatives: readonly AST.Alternative[] }): number =>
  minOf(alternatives.map(({ elements }) => elements.reduce((sum, element) => sum + digitsIn(element), 0)))

const digitsIn = (node: AST.Element): number => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return digitsOf(node)
    case 'Quantifier':
      return node.min > 0 ? node.min * digitsIn(node.element) : 0
    case 'Character':
    case 'CharacterSet':
      return isDigit(node) ? 1 : 0
    case 'CharacterClass':
      return !node.negate && node.elements.length > 0 && node.elements.every(isDigit) ? 1 : 0
    default:
      return 0
  }
}

const [zero, nine] = [0x30, 0x39]

const isDigit = (
  element: AST.CharacterClassElement | AST.UnicodeSetsCharacterClassElement | AST.CharacterSet,
): boolean => {
  switch (element.type) {
    case 'Character':
      return element.value >= zero && element.value <= nine
    case 'CharacterClassRange':
      return element.min.value >= zero && element.max.value <= nine
    case 'CharacterSet':
      return element.kind === 'digit' && !element.negate
    default:
      return false
  }
}
