import { RegExpParser } from '@eslint-community/regexpp'
import { needsOf } from './needs.js'
import type { Needs } from './needs.js'
import { lengthsOf } from './lengths.js'
import { growing } from './growing.js'

/** A regular expression with what is needed to search a text piece by piece, and one that still grows. */
export interface CompiledPattern {
  /** Global. */
  readonly regex: RegExp
  /** Matches also what could become a match if the text went on, up to the end of the text. */
  readonly growing: RegExp
  /** UTF-16 units of the longest match. */
  readonly longest: number
  readonly needs: Needs
  /** UTF-16 units that a match depends on before its start. */
  readonly before: number
  /** And behind its end. */
  readonly behind: number
}

const parser = new RegExpParser({ ecmaVersion: 2024 })

/**
 * @throws SyntaxError where the pattern is none, has no longest match, is anchored to the ends of the text, or refers
 * back to what it has matched
 */
export const compilePattern = (regex: RegExp): CompiledPattern => {
  const flags = `${regex.flags.replace(/[dgyu]/g, '')}gu`
  const tree = parser.parsePattern(regex.source, undefined, undefined, { unicode: true })
  const lengths = lengthsOf(tree)
  if (!Object.values(lengths).every(Number.isFinite))
    throw new SyntaxError('has no longest match: write {1,64} instead of + and {0,64} instead of *')
  return {
    regex: new RegExp(regex.source, flags),
    growing: new RegExp(growing(tree), flags),
    needs: needsOf(tree, lengths.longest, flags.includes('i')),
    ...lengths,
  }
}
