import type { AST } from '@eslint-community/regexpp'
import { parsed } from './growing.js'

/** Into how many instructions a pattern is compiled, about; infinite for one that is none. */
export const sizeOf = (source: string): number => {
  try {
    return ofAlternatives(parsed(source))
  } catch {
    return Infinity
  }
}

const ofAlternatives = (alternatives: readonly AST.Alternative[]): number =>
  sum(alternatives.map(({ elements }) => sum(elements.map(of))))

const of = (node: AST.Element): number => {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return ofAlternatives(node.alternatives)
    case 'Quantifier':
      return (1 + of(node.element)) * Math.max(1, node.max === Infinity ? node.min : node.max)
    default:
      return 1
  }
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)
