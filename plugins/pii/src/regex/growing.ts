import type { AST } from '@eslint-community/regexpp'

/**
 * The source of a pattern for partial matches: it matches what the given pattern matches, and what could become a match if
 * the text went on. Where the text ends between two parts, the remaining ones are taken to match.
 */
export const growing = (pattern: AST.Pattern): string => ofAlternatives(pattern.alternatives)

const ofAlternatives = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => ofSequence(elements)).join('|')

/** Nests the rest of a sequence in each part: that compiles to far less code, and needs no backtracking at the end. */
const ofSequence = (elements: readonly AST.Element[]): string =>
  elements.map(of).reduceRight((rest, element) => (rest === '' ? element : `${element}(?:$|${rest})`), '')

const of = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return inGroup(node, ofAlternatives)
    case 'Quantifier':
      return ofQuantifier(node)
    case 'Assertion':
      if (node.kind !== 'lookahead') return node.raw
      return node.negate ? `(?!${sureAlternatives(node.alternatives)})` : `(?=${ofAlternatives(node.alternatives)})`
    default:
      return node.raw
  }
}

const inGroup = (
  node: AST.Group | AST.CapturingGroup,
  inside: (alternatives: readonly AST.Alternative[]) => string,
): string => {
  const name = node.type === 'CapturingGroup' ? (node.name ? `?<${node.name}>` : '') : '?:'
  return `(${name}${inside(node.alternatives)})`
}

/** Alternatives of a negative lookahead that match however the text goes on: a word that may still change excludes nothing. */
const sureAlternatives = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => elements.map(sure).join('')).join('|')

const sure = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return inGroup(node, sureAlternatives)
    case 'Quantifier':
      return sure(node.element) + node.raw.slice(node.element.raw.length)
    case 'Assertion':
      if (node.kind !== 'lookahead') return node.raw
      return node.negate ? `(?!${ofAlternatives(node.alternatives)}|$)` : `(?=${sureAlternatives(node.alternatives)})`
    default:
      return node.raw
  }
}

/** Where several repetitions are needed, the text may end between two. */
const ofQuantifier = ({ element, min, raw }: AST.Quantifier): string => {
  const times = raw.slice(element.raw.length)
  return (min > 1 ? `(?:${of(element)}|$)` : of(element)) + times
}
