import type { AST } from '@eslint-community/regexpp'
import { maxOf } from '@sallyport/kit/lists'
import { requirementsOf } from './requirements.js'
import type { Requirements } from './requirements.js'
import { parse } from './parse.js'
import { partialMatchSource } from './partial-match.js'

/** A regular expression with what a search needs that reads windows of a text, and finds partial matches at its end. */
export interface CompiledPattern {
  /** Has the flag `g`. */
  readonly regex: RegExp
  /** Also matches an end of the text that could become a match if the text went on. */
  readonly partial: RegExp
  /** The maximum length of a match in UTF-16 code units. */
  readonly maxLength: number
  readonly requirements: Requirements
  /** How many UTF-16 code units before its start a match depends on. */
  readonly lookbehindLength: number
  /** How many UTF-16 code units after its end a match depends on. */
  readonly lookaheadLength: number
}

/**
 * @throws SyntaxError where the pattern is invalid, has no maximum length, is anchored to the ends of the text, or has
 * backreferences
 */
export const compilePattern = (regex: RegExp): CompiledPattern => {
  const flags = `${regex.flags.replace(/[dgyu]/g, '')}gu`
  const tree = parse(regex)
  const lengths = lengthsOf(tree)
  if (!Object.values(lengths).every(Number.isFinite))
    throw new SyntaxError('has no maximum length: write {1,64} instead of + and {0,64} instead of *')
  return {
    regex: new RegExp(regex.source, flags),
    partial: new RegExp(partialMatchSource(tree), flags),
    requirements: requirementsOf(tree, lengths.maxLength, flags.includes('i')),
    ...lengths,
  }
}

type Lengths = Pick<CompiledPattern, 'maxLength' | 'lookbehindLength' | 'lookaheadLength'>

/** @throws SyntaxError where a match could depend on the whole text */
const lengthsOf = (pattern: AST.Pattern): Lengths => {
  let [lookbehindLength, lookaheadLength] = [0, 0]
  const lengthOfAlternatives = (alternatives: readonly AST.Alternative[]): number =>
    maxOf(
      alternatives.map(({ elements }) => elements.reduce((sum, element) => sum + lengthOf(element), 0)),
      0,
    )
  const lengthOf = (node: AST.Element): number => {
    switch (node.type) {
      case 'Assertion':
        if (node.kind === 'lookahead' || node.kind === 'lookbehind') lookAround(node)
        else if (node.kind === 'word')
          [lookbehindLength, lookaheadLength] = [Math.max(lookbehindLength, 1), Math.max(lookaheadLength, 1)]
        else throw new SyntaxError(`must not contain ${node.raw}: where a text begins and ends is not known`)
        return 0
      case 'Quantifier':
        return node.max === 0 ? 0 : lengthOf(node.element) * node.max
      case 'Group':
      case 'CapturingGroup':
        return lengthOfAlternatives(node.alternatives)
      case 'Backreference':
        throw new SyntaxError(`must not contain ${node.raw}: references take more than linear time`)
      case 'Character':
        return node.value > 0xffff ? 2 : 1
      default:
        return astral.test(node.raw) ? 2 : 1
    }
  }
  /** A look-around may itself contain look-arounds, which reach further. */
  const lookAround = ({ alternatives, kind }: AST.LookaroundAssertion): void => {
    const outside = { lookbehindLength, lookaheadLength }
    ;[lookbehindLength, lookaheadLength] = [0, 0]
    const length = lengthOfAlternatives(alternatives)
    lookbehindLength = Math.max(outside.lookbehindLength, lookbehindLength + (kind === 'lookbehind' ? length : 0))
    lookaheadLength = Math.max(outside.lookaheadLength, lookaheadLength + (kind === 'lookahead' ? length : 0))
  }
  const maxLength = lengthOfAlternatives(pattern.alternatives)
  return { maxLength, lookbehindLength, lookaheadLength }
}

/** Sets that may contain characters of two UTF-16 code units. */
const astral = /\\[pPDWS]|\[\^|[\u{10000}-\u{10ffff}]|\\u\{/u
