import type { AST } from '@eslint-community/regexpp'

/** Characters from one code point to another. */
interface Range {
  readonly from: number
  readonly to: number
}

const digits: Range = { from: 48, to: 57 }
const at: Range = { from: 64, to: 64 }

/** What every match of a pattern holds: a text that lacks it has none. */
export interface Needs {
  /** A digit of ASCII. */
  readonly digit: boolean
  /** `@` */
  readonly at: boolean
}

export const needsOf = (pattern: AST.Pattern): Needs => ({ digit: needs(pattern, digits), at: needs(pattern, at) })

/** Whether a text has what a pattern needs. */
export const mayMatch = (pattern: Needs, text: Needs): boolean =>
  (!pattern.digit || text.digit) && (!pattern.at || text.at)

/** What a text has of it. */
export const heldBy = (text: string): Needs => ({ digit: /\d/.test(text), at: text.includes('@') })

const needs = ({ alternatives }: { readonly alternatives: readonly AST.Alternative[] }, range: Range): boolean =>
  alternatives.every(({ elements }) => elements.some((element) => isIn(element, range)))

const isIn = (node: AST.Element, range: Range): boolean => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return needs(node, range)
    case 'Quantifier':
      return node.min > 0 && isIn(node.element, range)
    case 'Character':
    case 'CharacterSet':
      return isWithin(node, range)
    case 'CharacterClass':
      return !node.negate && node.elements.length > 0 && node.elements.every((element) => isWithin(element, range))
    default:
      return false
  }
}

const isWithin = (
  element: AST.CharacterClassElement | AST.UnicodeSetsCharacterClassElement | AST.CharacterSet,
  { from, to }: Range,
): boolean => {
  switch (element.type) {
    case 'Character':
      return element.value >= from && element.value <= to
    case 'CharacterClassRange':
      return element.min.value >= from && element.max.value <= to
    case 'CharacterSet':
      return element.kind === 'digit' && !element.negate && from <= digits.from && digits.to <= to
    default:
      return false
  }
}
