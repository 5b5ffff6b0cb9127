import type { AST } from '@eslint-community/regexpp'

/** Whether whatever a pattern matches holds a digit of ASCII. */
export const needsDigit = ({ alternatives }: { readonly alternatives: readonly AST.Alternative[] }): boolean =>
  alternatives.every(({ elements }) => elements.some(isDigit))

const isDigit = (node: AST.Element): boolean => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return needsDigit(node)
    case 'Quantifier':
      return node.min > 0 && isDigit(node.element)
    case 'Character':
      return node.value >= 48 && node.value <= 57
    case 'CharacterSet':
      return node.kind === 'digit' && !node.negate
    case 'CharacterClass':
      return !node.negate && node.elements.length > 0 && node.elements.every(isDigits)
    default:
      return false
  }
}

const isDigits = (element: AST.CharacterClassElement | AST.UnicodeSetsCharacterClassElement): boolean =>
  (element.type === 'CharacterClassRange' && element.min.value >= 48 && element.max.value <= 57) ||
  (element.type === 'Character' && element.value >= 48 && element.value <= 57) ||
  (element.type === 'CharacterSet' && element.kind === 'digit' && !element.negate)
