import { RegExpParser } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'
import { maxOf } from '@sallyport/kit/lists'
import { requirementsOf } from './requirements.js'
import type { Requirements } from './requirements.js'
import { growing } from './growing.js'

/** A regular expression with what is needed to search a text window by window, and one that still grows. */
export interface CompiledPattern {
  /** Global. */
  readonly regex: RegExp
  /** Also matches an end of the text that could become a match if the text went on. */
  readonly growing: RegExp
  /** The maximum length of a match in UTF-16 units. */
  readonly maxLength: number
  readonly requirements: Requirements
  /** How many UTF-16 units before its start a match depends on. */
  readonly before: number
  /** How many UTF-16 units after its end a match depends on. */
  readonly behind: number
}

const parser = new RegExpParser({ ecmaVersion: 2024 })

/**
 * @throws SyntaxError where the pattern is invalid, has no maximum length, is anchored to the ends of the text, or has
 * backreferences
 */
export const compilePattern = (regex: RegExp): CompiledPattern => {
  const flags = `${regex.flags.replace(/[dgyu]/g, '')}gu`
  const tree = parser.parsePattern(regex.source, undefined, undefined, { unicode: true })
  const lengths = lengthsOf(tree)
  if (!Object.values(lengths).every(Number.isFinite))
    throw new SyntaxError('has no maximum length: write {1,64} instead of + and {0,64} instead of *')
  return {
    regex: new RegExp(regex.source, flags),
    growing: new RegExp(growing(tree), flags),
    requirements: requirementsOf(tree, lengths.maxLength, flags.includes('i')),
    ...lengths,
  }
}

interface Lengths {
  /** The maximum length of a match in UTF-16 units. */
  readonly maxLength: number
  /** UTF-16 units that are looked at before it. */
  readonly before: number
  /** UTF-16 units that are looked at behind it. */
  readonly behind: number
}

/** @throws SyntaxError where a match could depend on the whole text */
const lengthsOf = (pattern: AST.Pattern): Lengths => {
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
  /** A look-around may have others at its far end. */
  const lookAround = ({ alternatives, kind }: AST.LookaroundAssertion): void => {
    const outside = { before, behind }
    ;[before, behind] = [0, 0]
    const length = ofAlternatives(alternatives)
    before = Math.max(outside.before, before + (kind === 'lookbehind' ? length : 0))
    behind = Math.max(outside.behind, behind + (kind === 'lookahead' ? length : 0))
  }
  const maxLength = ofAlternatives(pattern.alternatives)
  return { maxLength, before, behind }
}

/** Sets that may contain characters of two UTF-16 units. */
const astral = /\\[pPDWS]|\[\^|[\u{10000}-\u{10ffff}]|\\u\{/u
