import type { AST } from '@eslint-community/regexpp'

/**
 * The source of a pattern that matches what the given one matches, and what could become a match if the text went on:
 * at the end of the text, every part is taken to match.
 */
export const growing = (pattern: AST.Pattern): string => ofAlternatives(pattern.alternatives)

const ofAlternatives = (alternatives: readonly AST.Alternative[]): string =>
  alternatives.map(({ elements }) => elements.map(of).join('')).join('|')

const orEnd = (source: string) => `(?:${source}|$)`

const of = (node: AST.Element): string => {
  switch (node.type) {
    case 'Group':
      return `(?:${ofAlternatives(node.alternatives)})`
    case 'CapturingGroup':
      return `(${node.name ? `?<${node.name}>` : ''}${ofAlternatives(node.alternatives)})`
    case 'Quantifier':
      return of(node.element) + node.raw.slice(node.element.raw.length)
    case 'Assertion':
      // What is looked at ahead may be cut off by the end, too.
      return node.kind === 'lookahead' && !node.negate
        ? orEnd(`(?=${ofAlternatives(node.alternatives)})`)
        : orEnd(node.raw)
    default:
      return orEnd(node.raw)
  }
}
