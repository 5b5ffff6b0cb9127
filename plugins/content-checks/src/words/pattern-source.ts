/** What follows from the source of a pattern: what it may still become, and how large its automaton is. */

import { RegExpParser } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'

const parser = new RegExpParser({ ecmaVersion: 2024 })

/** @throws Error for what is no pattern */
const parsed = (source: string): readonly AST.Alternative[] =>
  parser.parsePattern(source, undefined, undefined, { unicode: true }).alternatives

/** The most repetitions that RE2 takes. */
const maxTimes = 1000

/**
 * The source of a pattern that matches from where on the given one could find something to the end of the text, if the
 * text went on: wherever the text ends between two parts, those that are left are taken to match. Assertions are, too.
 * @throws Error for what is no pattern
 */
export const growing = (source: string): string => `(?:${growingAlternatives(parsed(source))})$`

const growingAlternatives = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => growingSequence(elements)).join('|')

const growingSequence = (elements: readonly AST.Element[]): string =>
  elements.map(growingElement).reduceRight((rest, element) => (rest === '' ? element : `${element}(?:$|${rest})`), '')

const growingElement = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return `(?:${growingAlternatives(node.alternatives)})`
    case 'Quantifier':
      return `(?:${growingElement(node.element)})${node.max > maxTimes ? '*' : `{0,${node.max}}`}`
    case 'Assertion':
      return '(?:)'
    default:
      return node.raw
  }
}

/** Into how many instructions a pattern is compiled, about; infinite for one that is none. */
export const sizeOf = (source: string): number => {
  try {
    return sizeOfAlternatives(parsed(source))
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
