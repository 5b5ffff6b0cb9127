import { RegExpParser } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'

const parser = new RegExpParser({ ecmaVersion: 2024 })

/** The most repetitions that RE2 takes. */
const mostTimes = 1000

/**
 * The source of a pattern that matches from where on the given one could find something to the end of the text, if the
 * text went on: wherever the text ends between two parts, those that are left are taken to match. Assertions are, too.
 */
export const growing = (source: string): string => `(?:${ofAlternatives(parsed(source))})$`

/** @throws Error for what is no pattern */
export const parsed = (source: string): readonly AST.Alternative[] =>
  parser.parsePattern(source, undefined, undefined, { unicode: true }).alternatives

const ofAlternatives = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => ofSequence(elements)).join('|')

const ofSequence = (elements: readonly AST.Element[]): string =>
  elements.map(of).reduceRight((rest, element) => (rest === '' ? element : `${element}(?:$|${rest})`), '')

const of = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return `(?:${ofAlternatives(node.alternatives)})`
    case 'Quantifier': {
      const most = node.max > mostTimes ? '' : node.max
      return `(?:${of(node.element)})${most === '' ? '*' : `{0,${most}}`}`
    }
    case 'Assertion':
      return '(?:)'
    default:
      return node.raw
  }
}
