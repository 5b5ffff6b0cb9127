/** Derives from the source of a pattern one for partial matches, and the size of its automaton. */

import { RegExpParser } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'

const parser = new RegExpParser({ ecmaVersion: 2024 })

/** @throws Error for an invalid pattern */
const parse = (source: string): readonly AST.Alternative[] =>
  parser.parsePattern(source, undefined, undefined, { unicode: true }).alternatives

/** The maximum number of repetitions in RE2. */
const maxTimes = 1000

/**
 * The source of a pattern for partial matches: it matches the end of a text that could become a match if the text went
 * on. Wherever the text ends between two parts, the remaining ones are taken to match; so are all assertions.
 * @throws Error for an invalid pattern
 */
export const partialMatchSource = (source: string): string => `(?:${partialAlternatives(parse(source))})$`

const partialAlternatives = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => partialSequence(elements)).join('|')

const partialSequence = (elements: readonly AST.Element[]): string =>
  elements.map(partialElement).reduceRight((rest, element) => (rest === '' ? element : `${element}(?:$|${rest})`), '')

const partialElement = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return `(?:${partialAlternatives(node.alternatives)})`
    case 'Quantifier':
      return `(?:${partialElement(node.element)})${node.max > maxTimes ? '*' : `{0,${node.max}}`}`
    case 'Assertion':
      return '(?:)'
    default:
      return node.raw
  }
}

/** The approximate number of instructions of a pattern; Infinity for an invalid one. */
export const sizeOf = (source: string): number => {
  try {
    return sizeOfAlternatives(parse(source))
  } catch {
    return Infinity
  }
}

const sizeOfAlternatives = (alternatives: readonly AST.Alternative[]): number =>
  alternatives.flatMap(({ elements }) => elements).reduce((sum, element) => sum + sizeOfElement(element), 0)

const sizeOfElement = (node: AST.Element): number => {
  if (node.type === 'Group' || node.type === 'CapturingGroup') return sizeOfAlternatives(node.alternatives)
  if (node.type !== 'Quantifier') return 1
  return (1 + sizeOfElement(node.element)) * Math.max(1, node.max === Infinity ? node.min : node.max)
}
