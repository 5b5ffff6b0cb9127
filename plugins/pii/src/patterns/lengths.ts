import { maxOf } from '@sallyport/kit/lists'
import type { AST } from '@eslint-community/regexpp'

interface Lengths {
  /** UTF-16 units of the longest match. */
  readonly longest: number
  /** UTF-16 units that are looked at before it. */
  readonly before: number
  /** And behind it. */
  readonly behind: number
}

/** @throws SyntaxError for what would make a match depend on all of the text */
export const lengthsOf = (pattern: AST.Pattern): Lengths => {
  let [before, behind] = [0, 0]
  const ofAlternatives = (alternatives: readonly AST.Alternative[]): number =>
    maxOf(
      alternatives.map(({ elements }) => elements.reduce((sum, element) => sum + of(element), 0)),
      0,
    )
  const of = (node: AST.Element): number => {
    switch (node.type) {
      case 'Assertion':
        if (node.kind === 'lookahead' || node.kind === 'lookbehind') lookAround(node)
        else if (node.kind === 'word') [before, behind] = [Math.max(before, 1), Math.max(behind, 1)]
        else throw new SyntaxError(`must not contain ${node.raw}: where a text begins and ends is not known`)
        return 0
      case 'Quantifier':
        return node.max === 0 ? 0 : of(node.element) * node.max
      case 'Group':
      case 'CapturingGroup':
        return ofAlternatives(node.alternatives)
      case 'Backreference':
        throw new SyntaxError(`must not contain ${node.raw}: references take more than linear time`)
      case 'Character':
        return node.value > 0xffff ? 2 : 1
      default:
        return astral.test(node.raw) ? 2 : 1
    }
  }
  /** Others may stand at its far end. */
  const lookAround = ({ alternatives, kind }: AST.LookaroundAssertion): void => {
    const outside = { before, behind }
    ;[before, behind] = [0, 0]
    const length = ofAlternatives(alternatives)
    before = Math.max(outside.before, before + (kind === 'lookbehind' ? length : 0))
    behind = Math.max(outside.behind, behind + (kind === 'lookahead' ? length : 0))
  }
  const longest = ofAlternatives(pattern.alternatives)
  return { longest, before, behind }
}

/** Sets that may hold characters of two UTF-16 units. */
const astral = /\\[pPDWS]|\[\^|[\u{10000}-\u{10ffff}]|\\u\{/u
