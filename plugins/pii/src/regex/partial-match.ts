import type { AST } from '@eslint-community/regexpp'

/**
 * The source of a pattern for partial matches: it matches what the given pattern matches, and what could become a match
 * if the text went on. Where the text ends between two parts, the remaining ones are taken to match.
 */
export const partialMatchSource = (pattern: AST.Pattern): string => alternativesSource(pattern.alternatives)

const alternativesSource = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => sequenceSource(elements)).join('|')

/** Nests the rest of a sequence in each part: that compiles to far less code, and needs no backtracking at the end. */
const sequenceSource = (elements: readonly AST.Element[]): string =>
  elements.map(elementSource).reduceRight((rest, element) => (rest === '' ? element : `${element}(?:$|${rest})`), '')

const elementSource = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return groupSource(node, alternativesSource)
    case 'Quantifier':
      return quantifierSource(node)
    case 'Assertion':
      if (node.kind !== 'lookahead') return node.raw
      return node.negate
        ? `(?!${sureAlternativesSource(node.alternatives)})`
        : `(?=${alternativesSource(node.alternatives)})`
    default:
      return node.raw
  }
}

const groupSource = (
  node: AST.Group | AST.CapturingGroup,
  inside: (alternatives: readonly AST.Alternative[]) => string,
): string => {
  const name = node.type === 'CapturingGroup' ? (node.name ? `?<${node.name}>` : '') : '?:'
  return `(${name}${inside(node.alternatives)})`
}

/**
 * Alternatives of a negative lookahead that match however the text goes on: a word that may still change excludes
 * nothing.
 */
const sureAlternativesSource = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => elements.map(sureSource).join('')).join('|')

const sureSource = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return groupSource(node, sureAlternativesSource)
    case 'Quantifier':
      return sureSource(node.element) + node.raw.slice(node.element.raw.length)
    case 'Assertion':
      if (node.kind !== 'lookahead') return node.raw
      return node.negate
        ? `(?!${alternativesSource(node.alternatives)}|$)`
        : `(?=${sureAlternativesSource(node.alternatives)})`
    default:
      return node.raw
  }
}

/** Where several repetitions are needed, the text may end between two. */
const quantifierSource = ({ element, min, raw }: AST.Quantifier): string => {
  const times = raw.slice(element.raw.length)
  return (min > 1 ? `(?:${elementSource(element)}|$)` : elementSource(element)) + times
}
